# Completion of passchain for fish. Made from the descriptions of its commands; do not edit.

# Prints the name of the command that words begin with, if they do, and how many of them name it.
function __passchain_command
    switch "$argv[1]"
    case init
        printf '%s\n' init 1
    case show ls list
        printf '%s\n' show 1
    case find search
        printf '%s\n' find 1
    case grep
        printf '%s\n' grep 1
    case insert add
        printf '%s\n' insert 1
    case edit
        printf '%s\n' edit 1
    case generate
        printf '%s\n' generate 1
    case rm remove delete
        printf '%s\n' rm 1
    case mv rename
        printf '%s\n' mv 1
    case cp copy
        printf '%s\n' cp 1
    case git
        printf '%s\n' git 1
    case otp
        switch "$argv[2]"
        case code show
            printf '%s\n' otp/code 2
        case insert add
            printf '%s\n' otp/insert 2
        case append
            printf '%s\n' otp/append 2
        case uri
            printf '%s\n' otp/uri 2
        case validate
            printf '%s\n' otp/validate 2
        case '*'
            printf '%s\n' otp/code 1
        end
    case help --help
        printf '%s\n' help 1
    case version --version
        printf '%s\n' version 1
    end
end

# Whether these are all words before the one at the cursor.
function __passchain_follows
    set -l words (commandline -opc)[2..-1]
    test "$words" = "$argv"
end

# Whether the word at the cursor belongs to command NAME. With FIRST and LAST, whether it is one of these
# operands, counted from 0; REQUIRED is a pattern for options whose value is the next word.
function __passchain_at --argument-names name first last required
    set -l words (commandline -opc)[2..-1]
    set -l command (__passchain_command $words)
    if set -q command[1]
        set -e words[1..$command[2]]
    else
        set command show
    end
    test $command[1] = $name; or return
    set -q first[1]; or return 0
    set -l count 0
    set -l ended
    while set -q words[1]
        set -l word $words[1]
        set -e words[1]
        if set -q ended[1]; or not string match -qr '^-.' -- $word
            set count (math $count + 1)
        else if test $word = --
            set ended yes
        else if test -n "$required"; and string match -qr -- $required $word; and set -q words[1]
            set -e words[1]
        end
    end
    test $count -ge $first; and test $count -le $last
end

# Prints names of a kind, one level at a time. With LETTER, the word may begin with that option.
function __passchain_names --argument-names kind letter
    set -l typed (commandline -ct | string collect)
    set typed (string unescape -- $typed | string collect; or echo $typed)
    if test -n "$letter"
        set typed (string replace -r -- "^(--[^=]*=|-[^-]*?$letter)" '' $typed | string collect)
    end
    # What to ask: the program as typed if that is a path, otherwise passchain, which a function, an alias or a
    # program of another name stands for.
    set -l tool (commandline -opc)[1]
    set tool (string replace -r '^~/' "$HOME/" -- $tool)
    if not string match -q '*/*' -- $tool; and command -q passchain
        set tool passchain
    end
    # fish itself compares what follows the last slash, loosely if need be.
    set -l folder ''
    contains $kind keys git; or set folder (string match -r '^.*/' -- $typed | string collect)
    # Its lines go straight to fish: each further step over all names takes as long as fish's own.
    command $tool complete -- $kind "$folder" 2>/dev/null </dev/null
end

set -l program passchain
string match -qr '(^|/)pass\.fish$' -- (status filename); and set program pass

complete -c $program -f
complete -c $program -n '__passchain_follows' -a init -d 'Name the GPG ids to encrypt for, and encrypt existing passwords anew where needed'
complete -c $program -n '__passchain_follows' -a show -d 'Show an existing password, or list a folder'
complete -c $program -n '__passchain_follows' -a ls -d 'Show an existing password, or list a folder'
complete -c $program -n '__passchain_follows' -a list -d 'Show an existing password, or list a folder'
complete -c $program -n '__passchain_follows' -a find -d 'List passwords that match pass-names'
complete -c $program -n '__passchain_follows' -a search -d 'List passwords that match pass-names'
complete -c $program -n '__passchain_follows' -a grep -d 'Search for passwords whose contents match, with the options of grep(1)'
complete -c $program -n '__passchain_follows' -a insert -d 'Insert a new password'
complete -c $program -n '__passchain_follows' -a add -d 'Insert a new password'
complete -c $program -n '__passchain_follows' -a edit -d 'Insert a new password or edit an existing one in the editor'
complete -c $program -n '__passchain_follows' -a generate -d 'Generate a new password of pass-length characters'
complete -c $program -n '__passchain_follows' -a rm -d 'Remove an existing password or folder'
complete -c $program -n '__passchain_follows' -a remove -d 'Remove an existing password or folder'
complete -c $program -n '__passchain_follows' -a delete -d 'Remove an existing password or folder'
complete -c $program -n '__passchain_follows' -a mv -d 'Rename or move old-path to new-path, and encrypt anew what has other recipients there'
complete -c $program -n '__passchain_follows' -a rename -d 'Rename or move old-path to new-path, and encrypt anew what has other recipients there'
complete -c $program -n '__passchain_follows' -a cp -d 'Copy old-path to new-path, and encrypt anew what has other recipients there'
complete -c $program -n '__passchain_follows' -a copy -d 'Copy old-path to new-path, and encrypt anew what has other recipients there'
complete -c $program -n '__passchain_follows' -a git -d 'Run a git command in the password store; with init, make it a git repository'
complete -c $program -n '__passchain_follows' -a otp -d 'Show a one-time password, or manage the keys of such passwords'
complete -c $program -n '__passchain_follows otp; or __passchain_follows help otp; or __passchain_follows --help otp' -a code -d 'Show the one-time password of an entry'
complete -c $program -n '__passchain_follows otp; or __passchain_follows help otp; or __passchain_follows --help otp' -a show -d 'Show the one-time password of an entry'
complete -c $program -n '__passchain_follows otp; or __passchain_follows help otp; or __passchain_follows --help otp' -a insert -d 'Make an entry of a key URI, or of a bare secret; without a name the URI names it'
complete -c $program -n '__passchain_follows otp; or __passchain_follows help otp; or __passchain_follows --help otp' -a add -d 'Make an entry of a key URI, or of a bare secret; without a name the URI names it'
complete -c $program -n '__passchain_follows otp; or __passchain_follows help otp; or __passchain_follows --help otp' -a append -d 'Add a key URI, or a bare secret, to an entry, or replace the key URI that it has'
complete -c $program -n '__passchain_follows otp; or __passchain_follows help otp; or __passchain_follows --help otp' -a uri -d 'Show the key URI of an entry, which is the secret that codes are made from'
complete -c $program -n '__passchain_follows otp; or __passchain_follows help otp; or __passchain_follows --help otp' -a validate -d 'Say whether there is something wrong with a key URI; without one it is read from the input'
complete -c $program -n '__passchain_follows' -a help -d 'Show this text, or how a command is used'
complete -c $program -n '__passchain_follows' -l help -d 'Show this text, or how a command is used'
complete -c $program -n '__passchain_follows' -a version -d 'Show version information'
complete -c $program -n '__passchain_follows' -l version -d 'Show version information'

complete -c $program -n '__passchain_at init' -s p -l path -r -f -a '(__passchain_names folders p)' -d 'Use the GPG ids for this folder and what is below it only'
complete -c $program -n '__passchain_at init' -l keep-going -d 'Leave entries that cannot be decrypted as they are, instead of changing nothing at all'
complete -c $program -n '__passchain_at init' -l dry-run -d 'Change nothing, but say what would be encrypted anew, for which keys, or be removed'
complete -c $program -n '__passchain_at init 0 9999 \'^(--path|-[^-]*[p])$\'' -f -a '(__passchain_names keys)'
complete -c $program -n '__passchain_at show; and not __fish_contains_opt -s c clip json flat' -s q -l qrcode -d 'Show a line, by default the first, as a QR code instead'
complete -c $program -n '__passchain_at show; and not __fish_contains_opt -s q qrcode json flat' -s c -l clip -d 'Put a line, by default the first, on the clipboard instead'
complete -c $program -n '__passchain_at show; and not __fish_contains_opt -s q qrcode -s c clip flat' -l json -d 'Print an entry with its lines and fields, or the tree of a folder, in JSON'
complete -c $program -n '__passchain_at show; and not __fish_contains_opt -s q qrcode -s c clip json' -l flat -d 'Print the full names of all entries in a folder, one a line'
complete -c $program -n '__passchain_at show' -l field -r -f -d 'Take the value of the line "name: value" only, or with the name password the first line'
complete -c $program -n '__passchain_at show' -s z -l null -d 'With --flat, end each name with a NUL instead of a line end'
complete -c $program -n '__passchain_at show 0 0 \'^(--field)$\'' -f -a '(__passchain_names entries-and-folders)'
test $program = pass; or complete -c $program -n '__passchain_follows find; or __passchain_follows search' -l json -d 'As the first word: print the tree in JSON, as show --json does'
complete -c $program -n '__passchain_at insert; and not __fish_contains_opt -s m multiline' -s e -l echo -d 'Show the password while it is typed'
complete -c $program -n '__passchain_at insert; and not __fish_contains_opt -s e echo' -s m -l multiline -d 'Read everything up to the end of input'
complete -c $program -n '__passchain_at insert' -s f -l force -d 'Overwrite an existing entry without asking'
complete -c $program -n '__passchain_at insert 0 0 ' -f -a '(__passchain_names entries-and-folders)'
complete -c $program -n '__passchain_at edit 0 0 ' -f -a '(__passchain_names entries-and-folders)'
complete -c $program -n '__passchain_at generate' -s n -l no-symbols -d 'Use letters and digits only'
complete -c $program -n '__passchain_at generate; and not __fish_contains_opt -s q qrcode' -s c -l clip -d 'Put the password on the clipboard instead of printing it'
complete -c $program -n '__passchain_at generate; and not __fish_contains_opt -s c clip' -s q -l qrcode -d 'Show the password as a QR code instead of printing it'
complete -c $program -n '__passchain_at generate; and not __fish_contains_opt -s f force' -s i -l in-place -d 'Replace only the first line of an existing entry'
complete -c $program -n '__passchain_at generate; and not __fish_contains_opt -s i in-place' -s f -l force -d 'Overwrite an existing entry without asking'
complete -c $program -n '__passchain_at generate 0 0 ' -f -a '(__passchain_names entries-and-folders)'
complete -c $program -n '__passchain_at rm' -s r -l recursive -d 'Remove a folder and everything in it'
complete -c $program -n '__passchain_at rm' -s f -l force -d 'Remove without asking'
complete -c $program -n '__passchain_at rm' -l dry-run -d 'Change nothing, but say what would be encrypted anew, for which keys, or be removed'
complete -c $program -n '__passchain_at rm 0 0 ' -f -a '(__passchain_names entries-and-folders)'
complete -c $program -n '__passchain_at mv' -s f -l force -d 'Overwrite an existing entry without asking'
complete -c $program -n '__passchain_at mv' -l dry-run -d 'Change nothing, but say what would be encrypted anew, for which keys, or be removed'
complete -c $program -n '__passchain_at mv 0 0 ' -f -a '(__passchain_names entries-and-folders)'
complete -c $program -n '__passchain_at mv 1 1 ' -f -a '(__passchain_names entries-and-folders)'
complete -c $program -n '__passchain_at cp' -s f -l force -d 'Overwrite an existing entry without asking'
complete -c $program -n '__passchain_at cp' -l dry-run -d 'Change nothing, but say what would be encrypted anew, for which keys, or be removed'
complete -c $program -n '__passchain_at cp 0 0 ' -f -a '(__passchain_names entries-and-folders)'
complete -c $program -n '__passchain_at cp 1 1 ' -f -a '(__passchain_names entries-and-folders)'
complete -c $program -n '__passchain_at git 0 0 ' -f -a '(__passchain_names git)'
complete -c $program -n '__passchain_at otp/code; and not __fish_contains_opt qrcode' -s c -l clip -d 'Put it on the clipboard instead of printing it'
complete -c $program -n '__passchain_at otp/code; and not __fish_contains_opt -s c clip' -l qrcode -d 'Show it as a QR code instead of printing it'
complete -c $program -n '__passchain_at otp/code' -s q -l quiet -d 'Print nothing of what git says about a new counter'
complete -c $program -n '__passchain_at otp/code 0 0 ' -f -a '(__passchain_names entries)'
complete -c $program -n '__passchain_at otp/insert' -s f -l force -d 'Overwrite an existing entry without asking'
complete -c $program -n '__passchain_at otp/insert' -s e -l echo -d 'Show what is typed'
complete -c $program -n '__passchain_at otp/insert' -s s -l secret -d 'Ask for a bare secret instead of a key URI'
complete -c $program -n '__passchain_at otp/insert' -s i -l issuer -r -f -d 'With --secret: whom the account is with'
complete -c $program -n '__passchain_at otp/insert' -s a -l account -r -f -d 'With --secret: whose account it is'
complete -c $program -n '__passchain_at otp/insert' -s p -l path -r -f -a '(__passchain_names folders p)' -d 'Without a pass-name: the folder of the entry that the URI names'
complete -c $program -n '__passchain_at otp/insert 0 0 \'^(--issuer|--account|--path|-[^-]*[iap])$\'' -f -a '(__passchain_names entries-and-folders)'
complete -c $program -n '__passchain_at otp/append' -s f -l force -d 'Replace an existing key URI without asking'
complete -c $program -n '__passchain_at otp/append' -s e -l echo -d 'Show what is typed'
complete -c $program -n '__passchain_at otp/append' -s s -l secret -d 'Ask for a bare secret instead of a key URI'
complete -c $program -n '__passchain_at otp/append' -s i -l issuer -r -f -d 'With --secret: whom the account is with'
complete -c $program -n '__passchain_at otp/append' -s a -l account -r -f -d 'With --secret: whose account it is'
complete -c $program -n '__passchain_at otp/append 0 0 \'^(--issuer|--account|-[^-]*[ia])$\'' -f -a '(__passchain_names entries)'
complete -c $program -n '__passchain_at otp/uri; and not __fish_contains_opt -s q qrcode' -s c -l clip -d 'Put it on the clipboard instead of printing it'
complete -c $program -n '__passchain_at otp/uri; and not __fish_contains_opt -s c clip' -s q -l qrcode -d 'Show it as a QR code, for a telephone, instead of printing it'
complete -c $program -n '__passchain_at otp/uri 0 0 ' -f -a '(__passchain_names entries)'
complete -c $program -n '__passchain_at help 0 0 ' -f -a 'init show ls list find search grep insert add edit generate rm remove delete mv rename cp copy git otp help version'
test $program = pass; or complete -c $program -n '__passchain_follows version; or __passchain_follows --version' -l json -d 'As the first word: print the name, the version, and that of pass that it behaves as, in JSON'
