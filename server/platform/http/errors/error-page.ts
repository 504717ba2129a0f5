import { createHash } from 'node:crypto';
import type { ErrorCode } from '#api/errors.ts';
import type { RequestError } from '#server/platform/base/errors.ts';
import { accentRule, type PageBrand } from '#server/platform/http/pages/brand.ts';
import { escapeHtml } from '#server/platform/http/pages/html.ts';
import { errorPages as en } from '#texts/en/errors.ts';
import { errorPages as zh } from '#texts/zh/errors.ts';

export type PageLanguage = 'en' | 'zh';

/** Codes after which this service has no page to offer: the link to its home page would be refused, too. */
const WITHOUT_WAY_ON: ReadonlySet<ErrorCode> = new Set(['unknown_host', 'unavailable']);

const STYLE = `:root{color-scheme:light dark;--ground:#fff;--text:#1a2326;--soft:#586a6f;--accent:#125d69;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#131a1c;--text:#dbe3e5;--soft:#94a5a9;--accent:#1d7f8d}}
*{box-sizing:border-box}
body{display:grid;place-items:center;min-height:100vh;min-height:100dvh;margin:0;padding:2rem 1.25rem 12vh;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif}
main{max-width:27rem;text-align:center}
h1{margin:1.5rem 0 .5rem;font-size:1.375rem;font-weight:620;line-height:1.25;text-wrap:balance}
p{margin:0;color:var(--soft);text-wrap:pretty;overflow-wrap:anywhere}
p+p{margin-top:.75rem}
a{display:inline-block;margin-top:1.5rem;padding:.55rem 1.1rem;border-radius:9px;background:var(--accent);color:var(--on);font-weight:560;text-decoration:none}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
small{display:block;margin-top:2rem;color:var(--soft);font-size:.8125rem}`;

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="56" height="56" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#125d69"/><path d="M8 8.5h16v10l-4.2-4.2a1.6 1.6 0 0 0-2.3 0l-3.6 3.7-1.4-1.4a1.6 1.6 0 0 0-2.3 0L8 18.8z" fill="#fff"/><path d="M6.5 20.5v2.2a2.3 2.3 0 0 0 2.3 2.3h14.4a2.3 2.3 0 0 0 2.3-2.3v-2.2" fill="none" stroke="#a8d5db" stroke-width="2.2" stroke-linecap="round"/></svg>`;

/** Only this page's own style and icon: no scripts, requests, forms or frames. */
const policyFor = (style: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');

/** A refusal as a page for people, and the content policy it needs. It requests nothing, since other requests may be refused as well. */
export function refusalPage(
  error: RequestError,
  language: PageLanguage,
  { accent }: Pick<PageBrand, 'accent'>,
): { html: string; policy: string } {
  const style = STYLE + accentRule(accent, 'fill');
  const { codes, request, service, wayOn, errorId } = language === 'zh' ? zh : en;
  // English has the error's own sentence where there is no better one; so do rare codes in Chinese.
  const { title, text } = codes[error.code] ?? { title: error.status < 500 ? request : service, text: error.message };
  const { request_id } = error.details;
  const html = `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Pixdock</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
<style>${style}</style>
</head>
<body>
<main>
${MARK}
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${WITHOUT_WAY_ON.has(error.code) ? '' : `<a href="/">${escapeHtml(wayOn)}</a>`}
${request_id === undefined ? '' : `<small>${escapeHtml(errorId)} ${escapeHtml(request_id)}</small>`}
</main>
</body>
</html>
`;
  return { html, policy: policyFor(style) };
}
