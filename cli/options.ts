import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  CONVERSIONS,
  type Conversion,
  MAX_ALT_LENGTH,
  MAX_CAPTION_LENGTH,
  MAX_EXPIRES_IN,
  MAX_MAX_VIEWS,
  MAX_TITLE_LENGTH,
  SLUG_CHOICES,
  type SlugChoice,
} from '#api/constants.ts';
import type { CaptureMode, RecordingTarget } from '#api/desktop/capture.ts';
import { canBeTaken, MIN_TAKEN_YEAR } from '#api/images/taken-at.ts';
import type { FormFields } from '#api/images/upload.ts';
import { MAX_TEMPLATE_LENGTH, PLACEHOLDERS, unknownPlaceholders } from '#api/sharing/link-template.ts';
import type { ConnectionOptions } from './connection.ts';
import { describeReadError, UsageError } from './errors.ts';
import { PRINTED_FORMATS, type PrintedLink } from './printable.ts';

/** Options of every command that uses a server. */
export interface ServerOptions extends ConnectionOptions {
  timeout: number;
  retries: number;
}

/** Options for who can open links, and until when. */
export interface SharingOptions {
  visibility?: 'public' | 'private';
  expiresIn?: number;
  expiresAt?: string;
}

/** Options of every command that uploads and prints links. */
export interface ImageOptions extends PrintedLink, SharingOptions {
  maxViews?: number;
  password?: string;
  passwordFile?: string;
  policy?: number;
}

/** Option of every command that uploads files. */
export interface ConvertOptions {
  convert?: Conversion;
}

/** Options for a picture's custom address. */
export interface SlugOptions {
  slug?: string;
  slugOr?: SlugChoice;
}

/** The texts that describe a picture. */
export interface DescriptionOptions {
  title?: string;
  caption?: string;
  alt?: string;
}

/** Options of `pixdock upload`. */
export interface UploadOptions extends ServerOptions, ImageOptions, DescriptionOptions, ConvertOptions, SlugOptions {
  name?: string;
  album?: string[];
  copy?: boolean;
  clipboard?: boolean;
  /** True: a region that the user selects. */
  capture?: CaptureMode | true;
  /** True: a region that the user selects. */
  record?: RecordingTarget | true;
  /** Seconds before the capture. */
  delay?: string;
}

/** Adds the options for the server, without those for retries. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'address of the server (environment: PIXDOCK_BASE_URL; default: the one from `pixdock login`)')
    .option('--token <token>', 'API token; use PIXDOCK_TOKEN or `pixdock login` to keep it out of your shell history')
    .option('--timeout <seconds>', 'give up on an attempt after this many seconds without progress', wholeNumber(1, 3600), 120);
}

export function addServerOptions(command: Command, retries: number): Command {
  return addConnectionOptions(command).option(
    '--retries <number>',
    'number of retries after network failures and server errors',
    wholeNumber(0, 100),
    retries,
  );
}

export function addSharingOptions(command: Command): Command {
  return command
    .addOption(new Option('--visibility <who>', 'who can open the links').choices(['public', 'private']))
    .option(
      '--expires-in <time>',
      'time until the links expire and the pictures move to your trash, in seconds or as 30m, 12h or 7d; 0 means never',
      duration,
    )
    .addOption(
      new Option('--expires-at <time>', 'exact time instead, in the time zone of this computer, such as 2026-12-31T18:00')
        .argParser(moment)
        .conflicts('expiresIn'),
    );
}

export function addImageOptions(command: Command): Command {
  const limited = addSharingOptions(command).option(
    '--max-views <number>',
    'how many times others can view the picture; 0 means unlimited',
    wholeNumber(0, MAX_MAX_VIEWS),
  );
  return addPasswordOptions(limited, 'password that others need to open the links').option(
    '--policy <id>',
    'ID of the storage policy',
    wholeNumber(1, Number.MAX_SAFE_INTEGER),
  );
}

/** Adds the options for a password. */
export function addPasswordOptions(command: Command, description: string): Command {
  return command
    .option('--password <text>', `${description}; other users of this computer may briefly see it`)
    .option('--password-file <file>', 'read the password from the first line of a file');
}

/** Adds the option for albums. */
export function addAlbumOption(command: Command): Command {
  return command.option(
    '--album <album>',
    'ID or name of an album, repeatable; another user’s as owner/name; a name needs a token with full access',
    (one, others: string[] = []) => [...others, one],
  );
}

/** Adds the option for another format. */
export function addConvertOption(command: Command): Command {
  return command.addOption(new Option('--convert <format>', 'format to store, if your group allows converting').choices(CONVERSIONS));
}

/** Adds the options for a custom address. */
export function addSlugOptions(command: Command): Command {
  return command
    .option('--slug <address>', 'custom address in the links, such as release-notes, if there is only one picture')
    .addOption(
      new Option('--slug-or <choice>', 'if the address is taken, add a number or random characters instead of failing').choices(
        SLUG_CHOICES,
      ),
    );
}

/** Adds the options for the texts that describe a picture. */
export function addDescriptionOptions(command: Command): Command {
  return command
    .option('--title <text>', 'title, shown instead of the name', text(MAX_TITLE_LENGTH))
    .option('--caption <text>', 'caption, shown below the picture', text(MAX_CAPTION_LENGTH))
    .option('--alt <text>', 'alternative text for people who can’t see the picture; used in Markdown and HTML links', text(MAX_ALT_LENGTH));
}

function text(maxLength: number) {
  return (value: string): string => {
    if (value.length <= maxLength) return value;
    throw new InvalidArgumentError(`It must have at most ${maxLength} characters.`);
  };
}

/** The values of a repeatable option. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** Adds the option for results that programs read. */
export const addJsonOption = (command: Command): Command => command.addOption(jsonOption());

const jsonOption = () => new Option('--json', 'print JSON, one object per line');

/** Adds the options for what is printed. */
export function addFormatOptions(command: Command): Command {
  const placeholders = PLACEHOLDERS.map((word) => `{${word}}`).join(' ');
  command.addOption(jsonOption().conflicts(['format', 'template'])).hook('preAction', (running) => {
    if (running.opts<{ json?: boolean }>().json) running.setOptionValue('format', 'json');
  });
  return command
    .addOption(new Option('--format <format>', 'what to print for each picture (default: "url")').choices(PRINTED_FORMATS))
    .addOption(
      new Option('--template <text>', `text to print for each picture; placeholders: ${placeholders}; write {{ for an opening brace`)
        .argParser(template)
        .conflicts('format'),
    );
}

function template(text: string): string {
  const unknown = unknownPlaceholders(text);
  if (unknown.length) throw new InvalidArgumentError(`Unknown placeholder: ${unknown.join(', ')}. Write {{ for an opening brace.`);
  if (!text.trim() || text.length > MAX_TEMPLATE_LENGTH)
    throw new InvalidArgumentError(`It must have 1 to ${MAX_TEMPLATE_LENGTH} characters.`);
  return text;
}

/** Turns the options into fields of the upload form. */
export async function imageFields(options: ImageOptions & DescriptionOptions & ConvertOptions & SlugOptions): Promise<FormFields> {
  if (options.slugOr && !options.slug) throw new UsageError('--slug-or works only with --slug.');
  const password = await passwordOf(options);
  return {
    ...(options.visibility && { visibility: options.visibility }),
    ...(options.expiresIn !== undefined && { expires_in: String(options.expiresIn) }),
    ...(options.expiresAt !== undefined && { expires_at: options.expiresAt }),
    ...(options.maxViews !== undefined && { max_views: String(options.maxViews) }),
    ...(password !== undefined && { access_password: password }),
    ...(options.policy !== undefined && { policy_id: String(options.policy) }),
    ...(options.slug && { slug: options.slug }),
    ...(options.slugOr && { slug_or: options.slugOr }),
    ...(options.convert && { convert: options.convert }),
    ...(options.title && { title: options.title }),
    ...(options.caption && { caption: options.caption }),
    ...(options.alt && { alt: options.alt }),
  };
}

/** The password of the options. @throws UsageError if it is empty, given twice or can't be read */
export async function passwordOf(options: Pick<ImageOptions, 'password' | 'passwordFile'>): Promise<string | undefined> {
  if (options.password !== undefined && options.passwordFile !== undefined)
    throw new UsageError('Use either --password or --password-file, not both.');
  const password = options.passwordFile === undefined ? options.password : await firstLine(options.passwordFile);
  if (password === '') throw new UsageError('The password is empty.');
  return password;
}

async function firstLine(path: string) {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`Can’t read the password file: ${describeReadError(error)}.`, { cause: error });
  });
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** Parses a whole number between two bounds. */
export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(
      `It must be a whole number${max < Number.MAX_SAFE_INTEGER ? ` from ${min} to ${max}` : ` of at least ${min}`}.`,
    );
  };
}

const UNITS: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** More than lies between any two pictures. */
const MAX_SHIFT = 1e10;

/** Parses a duration such as `3600`, `45m` or `7d` into seconds. */
function duration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhdw]?)$/.exec(text) ?? [];
  const seconds = Number(digits) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (seconds >= 0 && seconds <= MAX_EXPIRES_IN) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds or a duration such as 30m, 12h or 7d, up to 366d.');
}

/** Parses how much later something was, such as `2h`, `1d12h` or `-30m`, into seconds. */
export function shift(text: string): number {
  const [, sign, parts] = /^([+-]?)((?:\d{1,9}[smhdw])+)$/.exec(text) ?? [];
  const amounts = [...(parts?.matchAll(/(\d+)([smhdw])/g) ?? [])];
  const seconds = amounts.reduce((sum, [, digits, unit]) => sum + Number(digits) * (UNITS[unit ?? ''] ?? 0), 0);
  if (seconds > 0 && seconds <= MAX_SHIFT) return sign === '-' ? -seconds : seconds;
  throw new InvalidArgumentError('It must be a time such as 2h, 1d12h or -30m.');
}

/** Parses a time at which a picture can have been taken, which is local without a zone, into RFC 3339. */
export function takenTime(text: string): string {
  const time = parseTime(text, '2019-05-14T18:30');
  if (canBeTaken(time)) return new Date(time).toISOString();
  throw new InvalidArgumentError(`It must be in a year from ${MIN_TAKEN_YEAR} to the next one.`);
}

/** Milliseconds since 1970. */
function parseTime(text: string, example: string): number {
  // 30 February would become 2 March.
  const isDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10));
  const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!isDay || Number.isNaN(time)) throw new InvalidArgumentError(`It must be a date and time such as ${example}.`);
  return time;
}

/** Parses a time in the future, such as `2026-12-31T18:00`, which is local without a zone, into RFC 3339. */
function moment(text: string): string {
  const time = parseTime(text, '2026-12-31T18:00');
  if (time <= Date.now()) throw new InvalidArgumentError('It has passed. Choose a later time.');
  if (time > Date.now() + MAX_EXPIRES_IN * 1000) throw new InvalidArgumentError('It must be within the next 366 days.');
  return new Date(time).toISOString();
}
