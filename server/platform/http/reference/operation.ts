import { API_PREFIX } from '#api/constants.ts';
import { escapeHtml } from '#server/platform/http/pages/html.ts';
import type { Operation, Placed } from './document.ts';
import { alternatives, type Field, fieldsOf, sampleOf, typeName } from './schema.ts';

/** A text of the contract, in which backticks mark code. */
const renderText = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** One operation: what it does, who may call it, an example, its fields and its errors. */
export function renderOperation({ path, method, operation }: Placed): string {
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
