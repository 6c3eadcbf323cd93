#define _GNU_SOURCE
#include "CUnix.h"
#include <ctype.h>
#include <langinfo.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

size_t cunix_next_character(locale_t locale, const char *bytes, size_t count, int *printable) {
    // mbrtowc has no form that takes a locale; this one is the thread's own, and is put back.
    locale_t previous = uselocale(locale);
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        // mbrtowc would load a converter, and with it the system's libc: in a static executable a crash where that is another
        // version. The locale's table of single bytes says the same of all encodings without longer characters.
        uselocale(previous);
        *printable = isprint_l((unsigned char)*bytes, locale) != 0;
        return 1;
    }
    mbstate_t state = {0};
    wchar_t character;
    size_t length = mbrtowc(&character, bytes, count, &state);
    uselocale(previous);

    if (length == (size_t)-1 || length == (size_t)-2) {
        *printable = 0;
        return 1;
    }
    *printable = iswprint_l((wint_t)character, locale) != 0;
    return length == 0 ? 1 : length;
}

const char *cunix_codeset(locale_t locale) {
    // nl_langinfo_l would do, but in a static executable glibc's answers for the thread's own locale whatever it is given.
    locale_t previous = uselocale(locale);
    const char *name = nl_langinfo(CODESET);
    uselocale(previous);
    return name;
}

int cunix_character_width(locale_t locale, uint32_t character) {
    // As above: wcwidth has no form that takes a locale.
    locale_t previous = uselocale(locale);
    int width = wcwidth((wchar_t)character);
    uselocale(previous);
    return width;
}
