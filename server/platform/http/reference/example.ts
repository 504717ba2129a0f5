import { API_PREFIX } from '#api/constants.ts';
import type { Operation } from './document.ts';
import { sampleOf } from './schema.ts';

/** Quotes a text for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A request of this operation with curl. `$PIXDOCK` is the service's address, `$TOKEN` a token, `cookies.txt` a session. */
export function curlOf(path: string, method: string, operation: Operation): string {
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
