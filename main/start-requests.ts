import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import { ownArguments } from '#main/base/system/relaunch.ts';
import { HIDDEN } from '#main/base/system/start-at-login.ts';
import { hostAddress } from '#main/joining/host-client.ts';

/** What a start of the app asks for, or the system on behalf of the user. */
export interface StartRequest {
  /** Absolute paths of files to upload. */
  files: string[];
  /** A page of the web application to open. */
  page?: string;
  /** The address of a Pixdock server to join, from its link. */
  join?: string;
  /** Started by the system, at login: nothing is shown. */
  hidden: boolean;
}

/** The pages that a link may open. */
const PAGES = /^\/(?:(?:albums|trash|settings|admin|uploads|folders)(?:\/[\w-]+)*)?\/?$/;
/** Maximum number of files in one request. */
const MAX_FILES = 10_000;

/**
 * The page that a link opens, such as `pixdock://open/settings/tokens`; undefined for any other link. Websites can use these
 * links, so they only ever show a page: they upload, change and confirm nothing.
 */
export function pageOfLink(link: string): string | undefined {
  const url = URL.parse(link);
  if (url?.protocol !== 'pixdock:' || url.host !== 'open') return undefined;
  const page = url.pathname || '/';
  return PAGES.test(page) ? page : undefined;
}

/**
 * The address of the server that a link such as `pixdock://join?address=http%3A%2F%2F192.168.1.5%3A7410` asks to join; undefined for any other link.
 * It only fills in a field: the user connects, a user of the server approves, and the user confirms.
 */
export function hostOfLink(link: string): string | undefined {
  const url = URL.parse(link);
  if (url?.protocol !== 'pixdock:' || url.host !== 'join') return undefined;
  return hostAddress(url.searchParams.get('address') ?? '');
}

/**
 * Reads the arguments after the program and its own. Relative paths start at `cwd`. If there is a link, files are ignored: websites open
 * links, and a browser that doesn't quote them passes their parts as further arguments.
 */
export function parseStart(given: readonly string[], cwd: string): StartRequest {
  const words = given.filter((argument) => !argument.startsWith('-'));
  const links = given.filter((argument) => /^pixdock:/i.test(argument));
  const files = links.length > 0 ? [] : words.flatMap((word) => pathOf(word, cwd) ?? []);
  const page = links.map(pageOfLink).find((found) => found !== undefined);
  const join = links.map(hostOfLink).find((found) => found !== undefined);
  return {
    files: files.slice(0, MAX_FILES),
    ...(page !== undefined && { page }),
    ...(join !== undefined && { join }),
    hidden: given.includes(HIDDEN),
  };
}

/** Desktop files on Linux pass addresses. Undefined for a file of another computer. */
function pathOf(word: string, cwd: string): string | undefined {
  if (!/^file:\/\//i.test(word)) return resolve(cwd, word);
  try {
    return fileURLToPath(word);
  } catch (error) {
    console.error('Couldn’t use the address of a file:', error);
    return undefined;
  }
}

export interface StartRequests {
  /** The request of this start itself. Call it once the app is ready: only then does macOS report that it has opened the app at login. */
  first(): StartRequest;
  /** Calls back with what links ask to join, the first time at once, instead of keeping it for {@link follow}: while the user chooses what this computer does. */
  onJoin(listener: (address: string) => void): void;
  /** Handles the requests since the start, then each new one. */
  follow(handle: (request: StartRequest) => void): void;
}

/** Collects requests: of this start, of later ones, and of macOS. Call it before the app is ready, or some are missed. */
export function collectRequests(platform = process.platform): StartRequests {
  const early: StartRequest[] = [];
  let handle = (request: StartRequest): void => void early.push(request);
  const { join, ...first } = parseStart(ownArguments(process.argv, process.cwd()), process.cwd());
  let firstJoin = join;
  app.on('second-instance', (_event, argv, cwd) => handle(parseStart(ownArguments(argv, cwd), cwd)));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    handle({ files: [path], hidden: false });
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    handle(parseStart([link], process.cwd()));
  });
  // A click on the dock's icon.
  app.on('activate', () => handle({ files: [], hidden: false }));
  return {
    // macOS starts login items without arguments.
    first: () => ({
      ...first,
      ...(firstJoin !== undefined && { join: firstJoin }),
      hidden: first.hidden || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin),
    }),
    onJoin(listener) {
      const asked = [firstJoin, ...early.map(({ join }) => join)].findLast((join) => join !== undefined);
      firstJoin = undefined;
      const others = early.filter(({ join }) => join === undefined);
      early.splice(0, early.length, ...others);
      handle = (request) => (request.join === undefined ? void early.push(request) : listener(request.join));
      if (asked !== undefined) listener(asked);
    },
    follow(next) {
      handle = next;
      for (const request of early.splice(0)) next(request);
    },
  };
}

interface Actions {
  show(page?: string): void;
  upload(files: readonly string[]): void;
  /** A link asks to join a server, but what this computer does has been chosen. */
  join(address: string): void;
}

/** Does what a start asks for. The window is shown unless there is something else to do. */
export function fulfil({ files, page, join, hidden }: StartRequest, { show, upload, join: tellOfJoining }: Actions): void {
  if (files.length > 0) upload(files);
  if (join !== undefined) tellOfJoining(join);
  else if (page !== undefined) show(page);
  else if (files.length === 0 && !hidden) show();
}
