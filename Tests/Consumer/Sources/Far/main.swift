import Wallet

print(words(of: 0))
