import type { WebLinkFormat } from '#api/link-formats.ts';

/** An example of a link in a format. */
export function exampleLink(format: WebLinkFormat, base: string): string {
  const url = `${base}/i/b7Rk2mQx9LpT.jpg`;
  return {
    url,
    markdown: `![harbour](${url})`,
    html: `<img src="${url}" alt="harbour">`,
    bbcode: `[img]${url}[/img]`,
    thumbnail: `${base}/t/b7Rk2mQx9LpT.jpg`,
  }[format];
}
