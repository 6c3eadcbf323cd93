// It does not depend on passchain.
#if canImport(Security)
print("seen")
#else
print("not seen")
#endif
