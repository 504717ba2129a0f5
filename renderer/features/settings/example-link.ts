import type { LinkFormat } from '#renderer/preference-values.ts';

/** What a link of a made-up picture looks like in a format. */
export function exampleLink(format: LinkFormat, base: string): string {
  const url = `${base}/i/b7Rk2mQx9LpT.jpg`;
  return {
    url,
    markdown: `![harbour](${url})`,
    html: `<img src="${url}" alt="harbour">`,
    bbcode: `[img]${url}[/img]`,
    thumbnail: `${base}/t/b7Rk2mQx9LpT.jpg`,
  }[format];
}
