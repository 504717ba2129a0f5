import { fileNameOf } from '#api/file-name.ts';

/** What the name of a local copy is made of. */
export const COPY_PLACEHOLDERS = ['date', 'time', 'app', 'name', 'n'] as const;
type CopyPlaceholder = (typeof COPY_PLACEHOLDERS)[number];

export const DEFAULT_COPY_NAME = '{app} {date} {time}';
export const MAX_COPY_NAME_LENGTH = 200;

/** The words in braces that mean nothing. */
export const unknownInCopyName = (template: string): string[] =>
  [...template.matchAll(/\{([^{}]*)\}/g)].flatMap(([, word = '']) =>
    COPY_PLACEHOLDERS.some((known) => known === word) ? [] : [`{${word}}`],
  );

/** A picture to name. */
export interface Copied {
  /** When it was taken or added. */
  at: Date;
  /** Where it came from. */
  app: string;
  /** Its own name, with its extension. */
  name: string;
}

/**
 * The path of a local copy below its folder, one part for each folder. Every system can store it, and it leads nowhere else.
 * @param number of the attempt, from 1: `{n}`, or else the end of the name from 2 on
 */
export function copyPathOf(template: string, { at, app, name }: Copied, number: number): string[] {
  const two = (value: number) => String(value).padStart(2, '0');
  const values: Record<CopyPlaceholder, string> = {
    date: [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-'),
    time: [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join('-'),
    app,
    name: name.replace(/\.\w{1,5}$/, ''),
    n: String(number),
  };
  const ext = /\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? 'png';
  const parts = template.split('/').map((part) => part.replace(/\{(\w+)\}/g, (all, word) => values[word as CopyPlaceholder] ?? all));
  const given = parts.filter((part) => part.trim() !== '');
  const folders = given.slice(0, -1).map((part) => fileNameOf(`${part}.x`, 'x').replace(/\.x$/, ''));
  const ending = number > 1 && !template.includes('{n}') ? ` (${number})` : '';
  return [...folders, fileNameOf(`${given.at(-1) ?? values.name}.${ext}`, ext, ending)];
}
