import type { RequestHandler } from 'express';
import { API_PREFIX } from '#api/constants.ts';
import { escapeHtml } from './html.ts';

type Document = ReturnType<typeof import('./openapi.ts').describeApi>;

interface Operation {
  summary: string;
  tags: string[];
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}

/** `GET /docs/api`: the OpenAPI document as a readable page, without scripts, so that the strict content policy applies. */
export function apiReference(describe: () => Document): RequestHandler {
  let page: string | undefined;
  return (_request, response) => {
    page ??= renderPage(describe());
    response.type('html').send(page);
  };
}

function renderPage(document: Document): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
  );
  const groups = [...Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Pixdock API</title><style>${STYLE}</style></head><body><header><h1>Pixdock API</h1>
<p>Version ${escapeHtml(document.info.version)}. ${escapeHtml(document.info.description)} The machine-readable document is
<a href="${API_PREFIX}/openapi.json">openapi.json</a>.</p><nav>${groups.map(([tag]) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join(' ')}</nav></header>
<main>${groups.map(([tag, members]) => `<section id="${escapeHtml(tag)}"><h2>${escapeHtml(tag)}</h2>${members.map(renderOperation).join('')}</section>`).join('')}</main></body></html>`;
}

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { 200: success, 302: elsewhere, ...failures } = operation.responses;
  return `<details><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(operation.summary)}</span></summary>
<p>${renderAccess(operation.security)}</p>${renderParameters(operation.parameters)}${renderContent('Body', operation.requestBody?.content)}
${renderContent('Response 200', success?.content)}${elsewhere ? '<h3>Response 302</h3><p>The address to go to, in <code>Location</code>.</p>' : ''}<h3>Errors</h3><ul>${Object.entries(
    failures,
  )
    .map(([status, { description }]) => `<li><b>${status}</b> ${escapeHtml(description)}</li>`)
    .join('')}</ul></details>`;
}

function renderAccess(security: object[]): string {
  const names = security
    .map((one) => Object.keys(one)[0] ?? 'nothing')
    .map((name) => ({ token: 'a token', session: 'a session' })[name] ?? 'anyone');
  return `Access: ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}.`;
}

function renderParameters(parameters: Operation['parameters']): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: where, required, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required ? ' <i>required</i>' : ''}</td><td>${escapeHtml(where)}</td><td><code>${escapeHtml(JSON.stringify(schema))}</code></td></tr>`,
  );
  return `<h3>Parameters</h3><table>${rows.join('')}</table>`;
}

function renderContent(title: string, content: Record<string, { schema: object }> | undefined): string {
  return Object.entries(content ?? {})
    .map(
      ([type, { schema }]) =>
        `<h3>${title} <small>${escapeHtml(type)}</small></h3><pre>${escapeHtml(JSON.stringify(schema, undefined, 2))}</pre>`,
    )
    .join('');
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:2rem 1rem}
h1{margin:0}h2{text-transform:capitalize;margin:2.5rem 0 .5rem}h3{font-size:.9rem;margin:1rem 0 .25rem}nav a{margin-right:.75rem}a{color:inherit}
details{border-top:1px solid #8884;padding:.5rem 0}summary{cursor:pointer}summary span{opacity:.75}code,pre{font:13px/1.45 ui-monospace,monospace}
pre{overflow:auto;max-height:24rem;padding:.75rem;background:#8881;border-radius:6px}td{padding:.15rem 1rem .15rem 0;vertical-align:top}
.get{color:#0a7d86}.post{color:#3b7a1e}.put,.patch{color:#9a6700}.delete{color:#c0392b}`;
