#define _GNU_SOURCE
