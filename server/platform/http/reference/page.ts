import type { RequestHandler } from 'express';
import { API_PREFIX } from '#api/constants.ts';
import { escapeHtml } from '#server/platform/http/pages/html.ts';
import type { Operation, Placed } from './document.ts';
import type { describeApi } from './openapi.ts';
import { renderOperation } from './operation.ts';
import { STYLE } from './style.ts';

type Document = ReturnType<typeof describeApi>;

/**
 * `GET /docs/api`: the OpenAPI document as a page to read, without scripts, so that the strict content policy applies. Third-party reference pages
 * load megabytes and need a weaker policy (decision 074).
 */
export function apiReference(describe: () => Document): RequestHandler {
  let page: string | undefined;
  return (_request, response) => {
    page ??= renderPage(describe());
    response.type('html').send(page);
  };
}

function renderPage({ paths, info }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({ path, method, operation: operation as Operation })),
  );
  const groups = [...Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')].map(([tag, members]) => ({
    id: tag.replaceAll(' ', '-'),
    title: tag,
    members,
  }));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>API · Pixdock</title><style>${STYLE}</style></head><body>
<header><h1>Pixdock API</h1><p>Version ${escapeHtml(info.version)}. ${escapeHtml(info.description)} Machine-readable:
<a href="${API_PREFIX}/openapi.json">openapi.json</a>.</p></header><div class="columns">
<nav aria-label="Contents"><a href="#authentication">Authentication</a><a href="#responses">Responses</a>${groups
    .map(({ id, title }) => `<a href="#${escapeHtml(id)}">${escapeHtml(sentence(title))}</a>`)
    .join('')}</nav><main>${INTRODUCTION}${groups
    .map(
      ({ id, title, members }) =>
        `<section id="${escapeHtml(id)}"><h2>${escapeHtml(sentence(title))}</h2>${members.map(renderOperation).join('')}</section>`,
    )
    .join('')}</main></div></body></html>`;
}

const sentence = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const INTRODUCTION = `<section id="authentication"><h2>Authentication</h2>
<p>Create a token under <b>Settings → API tokens</b>. It’s shown only once. A token with scope <code>upload</code> can upload and read its limits. A token with scope
<code>full</code> can do everything its user can, except administration and changes to how the account signs in: tokens, password, email address, two-factor
authentication, passkeys, SSO, devices and deletion. An admin’s token with scope <code>full</code> or
<code>metrics</code> can read <code>/metrics</code>; the latter can do nothing else.</p>
<pre>export PIXDOCK=https://pics.example.org TOKEN=pxd_…
curl "$PIXDOCK${API_PREFIX}/upload" -H "Authorization: Bearer $TOKEN" -F file=@photo.jpg</pre>
<p>Operations that require a session, such as administration, use the cookie set at sign-in:</p>
<pre>curl "$PIXDOCK${API_PREFIX}/auth/login" -c cookies.txt -H 'Content-Type: application/json' \\
  -d '{"login": "ada", "password": "correct horse battery"}'
curl "$PIXDOCK${API_PREFIX}/admin/users" -b cookies.txt</pre>
<p>A request with an invalid token returns 401. It’s never treated as a guest’s request.</p></section>
<section id="responses"><h2>Responses</h2>
<p>Every JSON response has the same envelope. Success is always 200:</p>
<pre>{"status": true, "message": "ok", "data": {…}}</pre>
<p>An error contains a message for people and a stable code for programs:</p>
<pre>{"status": false, "message": "The file is larger than 50 MB. Choose a smaller one.", "data": {"code": "file_too_large", "retry": "never", "max_bytes": 52428800}}</pre>
<p><code>retry</code> says whether to send the same request again: <code>never</code>, <code>later</code> (after <code>retry_after</code> seconds, where known), or
<code>new_key</code>: as a new upload, with another <code>Idempotency-Key</code>.</p>
<p>Times are RFC 3339 in UTC, sizes in bytes, durations in seconds. Lists return <code>items</code> and <code>next_cursor</code>. To get the next page, pass
<code>next_cursor</code> as <code>cursor</code>. On the last page, <code>next_cursor</code> is null. A 429 response has the number of seconds to wait in <code>Retry-After</code>.</p></section>`;
