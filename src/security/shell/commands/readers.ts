/**
 * Commands that write no file named on their command line, and none besides. Everything that is neither here nor
 * in a handler is opaque: an unknown program may write anywhere.
 */
const READERS = new Set(
  `[ [[ : . true false test echo printf cat tac head tail less more nl wc od xxd hexdump strings file stat ls dir vdir tree
  exa eza lsd bat du df free uptime uname hostname whoami who w id groups users logname tty date cal sleep
  seq yes factor expr bc dc numfmt basename dirname realpath readlink pwd pathchk which type whereis whatis
  grep egrep fgrep zgrep rg ag ack cut paste join comm tr rev fold fmt pr expand unexpand column colrm look cmp
  diff diff3 sdiff colordiff cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum sum shasum base64
  base32 basenc jq zcat bzcat xzcat zless zdiff ps pgrep top htop vmstat iostat lsof lsblk lscpu lsmod dmesg ss
  netstat ip ifconfig ping dig nslookup host getent locale nproc arch env-check printenv kill pkill killall wait
  jobs fg times ulimit umask tput clear reset-screen stty man info help history cloc tokei md5 getconf lsusb lspci
  sync tsort shuf-out apropos locate mountpoint findmnt nm objdump readelf size ldd fd-list return`
    .split(/\s+/)
    .filter((name) => name !== '.'),
);

/** True for a command that is known to write nothing. */
export function isReadOnly(name: string): boolean {
  return READERS.has(name);
}
