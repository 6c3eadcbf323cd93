import Bank
import Purse
import Security

print(business().count, purse().service == "\(errSecDuplicateItem)")
