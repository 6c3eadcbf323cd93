/// A key whose secret part is on a card that nobody has.
package enum CardStub {
    /// For a shell in a home of gpg: puts what gpg-agent keeps of a card's key in the place of the Curve25519 keys.
    package static let script = #"""
        for f in $(grep -l Curve25519 private-keys-v1.d/*)
        do q=$(tr -d ' \n' < $f | sed -n 's/.*(q#\([0-9A-F]*\)#).*/\1/p')
        # The older form, of a key that was imported.
        test -n "$q" || q=$(od -An -v -tx1 $f | tr -d ' \n' | sed -n 's/.*28313a7133333a\(.\{66\}\).*/\1/p')
        test -n "$q" || exit 1
        chmod u+w $f
        printf 'Key: (shadowed-private-key (ecc (curve Curve25519)(flags djb-tweak)(q #%s#)%s))\n' \
            $q '(shadowed t1-v1 (#D2760001240102010006012345670000# OPENPGP.2))' > $f
        done
        """#
}
