import type { RequestHandler } from 'express';
import { API_PREFIX } from '#api/constants.ts';
import { accentRule, type PageBrand } from '#server/platform/http/pages/brand.ts';
import { escapeHtml } from '#server/platform/http/pages/html.ts';
import type { describeApi } from './openapi.ts';
import { alternatives, type Field, fieldsOf, type Schema, sampleOf, typeName } from './schema.ts';

/** An operation of the OpenAPI document. */
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

interface Placed {
  path: string;
  method: string;
  operation: Operation;
}

type Document = ReturnType<typeof describeApi>;

/**
 * `GET /docs/api`: the OpenAPI document as a page to read, without scripts, so that the strict content policy applies. Third-party reference pages
 * load megabytes and need a weaker policy (decision 074).
 */
export function apiReference(describe: () => Document, brand: () => PageBrand): RequestHandler {
  let page: string | undefined;
  return (_request, response) => {
    page ??= renderPage(describe());
    response.type('html').send(page.replace('</style>', () => `${accentRule(brand().accent, 'text')}</style>`));
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

/** The style of the reference: light or dark, following the system. */
const STYLE = `:root{color-scheme:light dark;--line:light-dark(#e2e8e9,#293437);--soft:light-dark(#f6f8f8,#1d2628);--dim:light-dark(#586a6f,#94a5a9);--accent:light-dark(#125d69,#7cc0ca)}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;padding:2rem clamp(1rem,4vw,3rem) 6rem;background:light-dark(#fff,#131a1c);color:light-dark(#111a1c,#dbe3e5);font:15px/1.55 system-ui,sans-serif}
header{max-width:60rem}h1{margin:0;font-size:1.6rem}h2{margin:2.5rem 0 .75rem;font-size:1.2rem}h4{margin:1.25rem 0 .375rem;font-size:.8125rem}
a{color:var(--accent)}p{max-width:46rem}small,i,summary span,.errors{color:var(--dim)}small,i{font-weight:400;font-style:normal;font-size:.75rem}
code,pre{font:.8125rem/1.5 ui-monospace,Menlo,Consolas,monospace}pre{overflow-wrap:anywhere;white-space:pre-wrap;margin:.5rem 0;padding:.75rem 1rem;border:1px solid var(--line);border-radius:8px;background:var(--soft)}
.columns{display:grid;gap:0 3rem}nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-top:1rem}nav a{padding-block:1px;text-decoration:none}nav a:hover{text-decoration:underline}main{min-width:0}
section>h2:first-child{scroll-margin-top:1rem}
details{border-top:1px solid var(--line)}summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem;padding:.625rem 0;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}summary:hover code{text-decoration:underline}summary code{overflow-wrap:anywhere}
.method{flex:none;width:4rem;font:600 .75rem ui-monospace,monospace}.get{color:var(--accent)}.post{color:light-dark(#2c6415,#9bd17f)}.put,.patch{color:light-dark(#7d5400,#e3b65c)}.delete{color:light-dark(#b3261e,#ff9b93)}
.operation{padding:0 0 1.25rem}.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px}table{width:100%;border-collapse:collapse;font-size:.8125rem}
th,td{padding:.4rem .75rem;border-top:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}thead th{border:0;background:var(--soft);color:var(--dim);font-size:.75rem}
tbody th{white-space:nowrap}td:nth-child(2){min-width:9rem;max-width:18rem;overflow-wrap:anywhere}td:last-child{min-width:12rem}
.errors{margin:.25rem 0;padding-left:1.25rem;font-size:.8125rem}.errors b{color:light-dark(#111a1c,#dbe3e5);font-weight:560}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(min-width:62em){.columns{grid-template-columns:11rem minmax(0,58rem)}nav{position:sticky;top:1.5rem;flex-direction:column;align-self:start;max-height:calc(100vh - 3rem);margin-top:2.75rem;overflow:auto}}
@media(min-width:48em){summary span{margin-left:auto;text-align:right}}`;

/** A text of the contract, in which backticks mark code. */
const renderText = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** One operation: what it does, who may call it, an example, its fields and its errors. */
function renderOperation({ path, method, operation }: Placed): string {
  const { 200: success, 302: elsewhere, ...failures } = operation.responses;
  return `<details><summary><b class="method ${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code><span>${renderText(operation.summary)}</span></summary>
<div class="operation" id="${escapeHtml(operation.operationId)}"><p>${renderAccess(operation.security)}</p>
<h4>Example</h4><pre>${escapeHtml(curlOf(path, method, operation))}</pre>
${renderParameters(operation.parameters)}${renderBody(operation)}${renderResponse(success)}
${elsewhere ? '<h4>Response</h4><p>302: a redirect to the address in <code>Location</code>.</p>' : ''}${renderErrors(failures)}</div></details>`;
}

function renderAccess(security: object[]): string {
  const names = security.map((one) => Object.keys(one)[0] ?? 'nothing');
  if (names.includes('nothing')) return 'No authentication required. A token or session identifies the caller.';
  return names.includes('token') ? 'Requires a token or a session.' : 'Requires a session. Tokens aren’t accepted.';
}

const PLACES: Record<string, string> = { path: 'In the path', query: 'Query', header: 'Header' };

function renderParameters(parameters: Operation['parameters']): string {
  return ['path', 'query', 'header']
    .map((where) => {
      const fields = parameters
        .filter((parameter) => parameter.in === where)
        .map(({ name, required, schema }) => ({
          name,
          required,
          type: typeName(schema),
          description: schema.description ?? '',
          default: schema.default,
        }));
      return renderFields(PLACES[where] ?? where, fields, true);
    })
    .join('');
}

function renderBody({ requestBody }: Operation): string {
  return Object.entries(requestBody?.content ?? {})
    .map(([type, { schema }]) => renderFields(`Body <small>${escapeHtml(type)}</small>`, fieldsOf(schema), true))
    .join('');
}

/** The envelope is described once, so only `data` is shown. */
function renderResponse(success: Operation['responses'][string] | undefined): string {
  return Object.entries(success?.content ?? {})
    .map(([type, { schema }]) => {
      if (type !== 'application/json') return `<h4>Response</h4><p>The file <small>${escapeHtml(type)}</small></p>`;
      const data = schema.properties?.data ?? {};
      const [list] = alternatives(data).filter(({ items }) => items);
      const fields = fieldsOf(list?.items ?? data);
      if (fields.length === 0) return '<h4>Response</h4><p><code>data</code> is empty.</p>';
      return renderFields(`Response <small>${list ? 'each item of data' : 'in data'}</small>`, fields, false);
    })
    .join('');
}

/** @param marks whether to mark the required fields; those of a response are always there, unless they are described as absent */
function renderFields(title: string, fields: readonly Field[], marks: boolean): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    (field) =>
      `<tr><th scope="row"><code>${escapeHtml(field.name)}</code>${marks && field.required ? ' <i>required</i>' : ''}</th><td>${escapeHtml(field.type)}</td><td>${renderText(
        [field.description, field.default === undefined ? '' : `Default: ${JSON.stringify(field.default)}`].filter(Boolean).join('. '),
      )}</td></tr>`,
  );
  return `<h4>${title}</h4><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function renderErrors(failures: Operation['responses']): string {
  const items = Object.entries(failures).map(([status, { description }]) => `<li><b>${status}</b> ${renderText(description)}</li>`);
  return `<h4>Errors</h4><ul class="errors">${items.join('')}</ul>`;
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A request of this operation with curl. `$PIXDOCK` is the service's address, `$TOKEN` a token, `cookies.txt` a session. */
function curlOf(path: string, method: string, operation: Operation): string {
  const sample = ({ name, schema }: Operation['parameters'][number]) => encodeURIComponent(String(sampleOf(schema, name)));
  const filled = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, sample(parameter)), path);
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${sample(parameter)}`);
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$PIXDOCK${filled}${query.length ? `?${query.join('&')}` : ''}"`,
  ];
  const credential = credentialOf(path, operation);
  if (credential) lines.push(credential);
  const [[type, body] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (type === 'multipart/form-data') lines.push('-F file=@photo.jpg');
  else if (body) lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(sampleOf(body.schema)))}`);
  const file = operation.responses[200]?.content;
  if (file && !('application/json' in file)) lines.push('-OJ');
  return lines.join(' \\\n  ');
}

/** Guests may upload, too, but programs upload for a user. */
function credentialOf(path: string, { security }: Operation): string | undefined {
  const isOpen = security.some((one) => Object.keys(one).length === 0);
  if (isOpen && path !== `${API_PREFIX}/upload`) return undefined;
  return security.some((one) => 'token' in one) ? '-H "Authorization: Bearer $TOKEN"' : '-b cookies.txt';
}
