// Nothing: on Apple's systems `import Security` means Apple's own. See Package.swift, "The keychain".
