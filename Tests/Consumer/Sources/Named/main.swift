import PasswordStore
import Security
import TestSupport

print(shelf, errSecDuplicateItem, support)
