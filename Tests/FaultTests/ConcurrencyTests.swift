import Foundation
import TestSupport
import Testing

/// Several of them at work on one store.
@Suite(.serialized) struct ConcurrencyTests {
    @Test func twentyWritersAndAChangeOfRecipientsBetween() throws {
        // U79, F09, F12.
        let fixture = try FaultFixture()
        let before = try fixture.log().count
        let outcome = try fixture.shell(
            """
            for i in {1..20}; do
                { echo "secret $i" | $TOOL insert -e "d$((i % 4))/e$i" > $F/out$i 2>&1; echo $? >> $F/statuses; } &
                [[ $i -eq 10 ]] && { $TOOL init $ALICE $BOB > $F/init 2>&1; echo $? >> $F/statuses; } &
            done; wait
            """
        )
        #expect(outcome.status == 0)
        let statuses = String(decoding: try fixture.read("statuses"), as: UTF8.self)
        let said = try fixture.shell("cat $F/out* $F/init").output
        #expect(statuses == String(repeating: "0\n", count: 21), "\(said)")
        for number in 1...20 {
            #expect(try fixture.run("show", "d\(number % 4)/e\(number)").output == "secret \(number)\n")
            let packets = try Keys.ring.gpg([
                "--list-packets", "\(fixture.store)/d\(number % 4)/e\(number).gpg",
            ]).text
            for key in try [Keys.alice, Keys.bob].map(Keys.encryptionKey) { #expect(packets.contains(key)) }
        }
        let log = try fixture.log()
        #expect(log.count { $0.hasPrefix("Add given password") } == 20)
        #expect(
            log.count - before == 20 + log.count { $0.hasPrefix("Set GPG id") || $0.hasPrefix("Reencrypt") }
        )
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.leftovers().isEmpty)
    }

    @Test func twoWritersOfOneEntry() throws {
        // F10.
        let fixture = try FaultFixture()
        let rounds = max(5, Machine.rounds / 10)
        let outcome = try fixture.shell(
            """
            for writer in one two; do
                { for i in {1..\(rounds)}; do echo "$writer $i" | $TOOL insert -ef x > /dev/null 2>> $F/errors || echo failed; done; } &
            done; wait
            """
        )
        #expect(outcome.output.isEmpty, "\(outcome)")
        let last = try fixture.decrypted("x")
        #expect(last == "one \(rounds)\n" || last == "two \(rounds)\n")
        #expect(try fixture.log().count { $0.hasPrefix("Add given") } == 2 * rounds)
        #expect(try fixture.git("rev-list", "--merges", "--all").isEmpty)
        #expect(try fixture.status().isEmpty)
    }

    @Test(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)"))
    func whatSomebodyWritesWhileItIsMovedStaysAndIsSaid() throws {
        // By a program that knows nothing of the lock, after the copy for others is in its place.
        let fixture = try FaultFixture(inGit: false)
        try fixture.run("init", "-p", "bob", Keys.bob).check()
        try fixture.run("insert", "-m", "x", input: "old\n").check()
        try fixture.run("insert", "-m", "newer", input: "newer\n").check()
        let outcome = try fixture.shell(
            """
            { until [[ -e $S/bob/x.gpg ]]; do :; done; mv $S/newer.gpg $S/x.gpg; } &
            strace -qq -o /dev/null -e trace=fsync -e inject=fsync:delay_exit=500000 $TOOL mv x bob/x; status=$?
            wait; exit $status
            """
        )
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.errors.contains("x was changed by somebody else meanwhile"), "\(outcome)")
        #expect(try fixture.decrypted("x") == "newer\n")
        #expect(try fixture.decrypted("bob/x") == "old\n")
        #expect(try fixture.leftovers().isEmpty)
    }

    @Test func aWriteAndAMoveOfItsFolder() throws {
        // F11.
        let fixture = try FaultFixture()
        try fixture.run("init", "-p", "bob", Keys.bob).check()
        for round in 0..<max(4, Machine.rounds / 20) {
            try fixture.run("insert", "-e", "f/old", input: "old\n").check()
            _ = try fixture.shell(
                "$TOOL mv f bob/f\(round) > $F/out 2>&1 & echo new | $TOOL insert -e f/new > $F/out2 2>&1; wait"
            )
            let places = ["f/new", "bob/f\(round)/new"].filter { fixture.exists("store/\($0).gpg") }
            #expect(places.count == 1)
            for place in places {
                let wanted = place.hasPrefix("bob") ? Keys.bob : Keys.alice
                let packets = try Keys.ring.gpg(["--list-packets", "\(fixture.store)/\(place).gpg"]).text
                let key = try Keys.encryptionKey(wanted)
                #expect(packets.contains(key))
            }
            #expect(try fixture.decrypted("bob/f\(round)/old") == "old\n")
            try fixture.shell("[[ -e $S/f ]] && $TOOL rm -rf f > /dev/null; true").check()
            #expect(try fixture.status().isEmpty)
        }
    }

    @Test(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)")) func aHolderOfTheLockIsNamed() throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-e", "x", input: "value\n").check()
        let outcome = try fixture.shell(
            """
            flock -x $S sleep 600 & holder=$!
            until flock -n $S true; [ $? = 1 ]; do sleep 0.01; done
            strace -qq -o /dev/null -e inject=clock_nanosleep:retval=0 $TOOL rm -f x 2>&1; echo status $?
            kill $holder $(pgrep -P $holder)
            """
        )
        #expect(outcome.output.contains("is being changed by flock (process "), "\(outcome)")
        #expect(outcome.output.hasSuffix("status 1\n"), "\(outcome)")
        #expect(try fixture.decrypted("x") == "value\n")
    }

    @Test func aReaderSeesTheOldOrTheNew() throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-e", "x", input: "value1\n").check()
        let outcome = try fixture.shell(
            """
            { for i in {1..10}; do echo value$((i % 2)) | $TOOL insert -ef x > /dev/null; done; touch $F/done; } &
            echo value0 > $F/read
            until [[ -e $F/done ]]; do $TOOL show x >> $F/read || echo wrong; done; wait
            sort -u $F/read
            """
        )
        #expect(outcome.output == "value0\nvalue1\n" && outcome.errors.isEmpty, "\(outcome)")
    }
}
