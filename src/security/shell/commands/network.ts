import type { Call, Handler } from '../call.ts';
import { type Options, parseOptions } from '../options.ts';
import { headOf, isOpen, STAR, staticOf, type Text, textOf, UNKNOWN, withoutTrailingSlash } from '../text.ts';

const CURL = {
  short: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
  long: '--output --output-dir --dump-header --cookie-jar --trace --trace-ascii --stderr --hsts --alt-svc --etag-save --libcurl --config --url --request --header --data --data-raw --data-binary --data-urlencode --form --user --user-agent --referer --cookie --upload-file --write-out --proxy --max-time --connect-timeout --retry --retry-delay --retry-max-time --range --cacert --cert --key --resolve --limit-rate --interface --time-cond --json --ciphers --max-redirs --max-filesize --variable --etag-compare --unix-socket --netrc-file --dns-servers --proto --tls-max --capath --pass --create-file-mode --url-query'.split(
    ' ',
  ),
};
const CURL_FILES = [
  '-o',
  '--output',
  '-D',
  '--dump-header',
  '-c',
  '--cookie-jar',
  '--trace',
  '--trace-ascii',
  '--stderr',
  '--hsts',
  '--alt-svc',
  '--etag-save',
  '--libcurl',
];

const WGET = {
  short: 'aABDeiIlmoOPQRtTUwXY',
  long: '--output-document --output-file --append-output --directory-prefix --input-file --execute --user-agent --header --post-data --post-file --tries --timeout --wait --level --accept --reject --domains --exclude-directories --include-directories --load-cookies --save-cookies --user --password --limit-rate --quota --referer --ca-certificate --certificate --private-key --base --config --cut-dirs --method --body-data --body-file --warc-file --rejected-log --use-askpass --default-page --bind-address --progress --local-encoding'.split(
    ' ',
  ),
};

/** Commands that fetch files. */
export const NETWORK: Readonly<Record<string, Handler>> = {
  curl: (call) => readCurl(call),
  wget: (call) => readWget(call),
  ssh: (call) => {
    call.opaque('runs commands on another machine, or opens tunnels');
    if (call.args.some((arg) => /^-\w*f/.test(headOf(arg)))) call.background();
  },
};

function readCurl(call: Call): void {
  const options = parseOptions(call.args, CURL);
  if (options.has('-K', '--config')) call.opaque('reads more options from a file');
  const [folder] = options.values('--output-dir');
  for (const path of options.values(...CURL_FILES)) {
    if (staticOf(path) === '-' || staticOf(path) === '%') continue;
    const isOutput = options.values('-o', '--output').includes(path);
    // `#1` and the like take parts of the address.
    const name =
      isOutput && /#\d/.test(headOf(path)) ? textOf(headOf(path).replace(/#\d.*$/, ''), STAR) : path;
    call.touch(isOutput ? within(folder, name) : name, 'write');
  }
  if (options.values('-w', '--write-out').some((format) => /%output\{|^@/.test(headOf(format)))) {
    call.opaque('writes where its format says');
  }
  if (options.has('-O', '--remote-name', '--remote-name-all')) {
    const isServers = options.has('-J', '--remote-header-name');
    const addresses = [...options.operands, ...options.values('--url')];
    for (const address of addresses)
      call.touch(within(folder, isServers ? textOf(STAR) : nameIn(address)), 'write');
  }
}

function readWget(call: Call): void {
  const options = parseOptions(call.args, WGET);
  for (const path of options.values(
    '-o',
    '--output-file',
    '-a',
    '--append-output',
    '--save-cookies',
    '--rejected-log',
    '--warc-file',
  )) {
    call.touch(path, 'write');
  }
  if (options.has('-e', '--execute', '--config', '--use-askpass'))
    call.opaque('takes settings that may name files and programs');
  if (options.has('-b', '--background')) call.background();
  const outputs = options.values('-O', '--output-document');
  for (const path of outputs) if (staticOf(path) !== '-') call.touch(path, 'write');
  if (outputs.length > 0 || options.has('--spider')) return;
  const [folder] = options.values('-P', '--directory-prefix');
  const isTree = options.has(
    '-r',
    '-m',
    '-p',
    '-x',
    '-i',
    '--recursive',
    '--mirror',
    '--page-requisites',
    '--force-directories',
    '--input-file',
    '--content-disposition',
  );
  if (isTree) call.touch(folder ?? textOf('.'), 'write', { recursive: true });
  else for (const name of namesOf(options)) call.touch(within(folder, name), 'write');
}

/** wget adds `.1` and so on to a name that is taken. */
function namesOf(options: Options): readonly Text[] {
  return options.operands.flatMap((address) => {
    const name = nameIn(address, 'index.html');
    return isOpen(name) ? [name] : [name, textOf(name, '.', STAR)];
  });
}

function within(folder: Text | undefined, name: Text): Text {
  return folder === undefined ? name : textOf(withoutTrailingSlash(folder), '/', name);
}

/** The file name in an address: what follows the last slash, without the query for curl. */
function nameIn(address: Text, whenNone?: string): Text {
  const whole = staticOf(address);
  if (whole === null) return UNKNOWN;
  const path = whole.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/#.*$/, '');
  const [before = '', query] = path.split(/\?(.*)/s);
  const name = before.includes('/') ? before.slice(before.lastIndexOf('/') + 1) : '';
  if (whenNone === undefined) return name === '' ? textOf('curl_response') : textOf(name);
  return textOf(name === '' ? whenNone : name, query === undefined ? '' : `?${query}`);
}
