import { isIP } from 'node:net';
import type { AdminSettings } from '#api/admin/settings.ts';
import { hostName, toOrigin } from '#api/url-forms.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { withFormerHost } from '#server/core/settings/former-hosts.ts';
import type { Settings } from '#server/core/settings/settings.ts';
import type { SettingsStore } from '#server/core/settings/settings-store.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { Author } from '#server/platform/db/database.ts';
import { isAllowListEntry } from '#server/platform/fetching/addresses.ts';
import type { LogoChange } from './logo.ts';

/**
 * Changes settings, and the logo with them, and records both in the audit log.
 * @param linkAddress what links start with before the change
 * @throws RequestError `invalid_request` with the field
 */
export async function changeSettings(
  store: SettingsStore,
  author: Author,
  linkAddress: string,
  changes: Partial<AdminSettings>,
  origin: AuditOrigin,
  newLogo?: LogoChange,
): Promise<void> {
  const checked = check(changes);
  const before = store.current();
  const changed = Object.entries(checked).filter(([name, value]) => !isSame(value, before[name as keyof Settings]));
  if (changed.length === 0 && !newLogo) return;
  const former = 'base_url' in checked ? { former_hosts: formerHosts(before, linkAddress, checked.base_url ?? null) } : {};
  await store.changeWith(author, { ...checked, ...former, ...newLogo?.settings }, async (queries) => {
    if (newLogo) {
      await newLogo.store(queries);
      await recordAudit(queries, origin, { action: newLogo.action, target: '' });
    }
    if (changed.length === 0) return;
    if (checked.count_referrers === false) await queries.deleteFrom('image_referrers').execute();
    const details = Object.fromEntries(changed.map(([name, value]) => [name, { from: before[name as keyof Settings], to: value }]));
    await recordAudit(queries, origin, { action: 'settings.changed', target: changed.map(([name]) => name).join(', '), details });
  });
}

/** The settings that are lists: how an entry is stored, undefined for one that isn't what it must be. */
const LISTS = [
  {
    field: 'fetch_allowed_hosts',
    read: (entry: string) => (isAllowListEntry(entry) ? entry : undefined),
    what: 'a host name, an IP address or a network such as 10.1.0.0/16',
    problem: 'not_host_or_network',
  },
  {
    field: 'cors_origins',
    read: readOrigin,
    what: 'an origin such as https://app.example.org or https://*.example.org',
    problem: 'not_web_origin',
  },
  { field: 'hotlink_sites', read: readSite, what: 'a host name such as example.org or *.example.org', problem: 'not_site' },
] as const;

/** A host name, or `*.` and a domain; an IP address can't have hosts below it. */
function readSite(entry: string): string | undefined {
  const [, pattern = '', name = ''] = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s/@?#\\:*]+)$/i.exec(entry) ?? [];
  const host = hostName(URL.parse(`http://${name}`)?.hostname ?? '');
  return host && !(pattern && isIP(host)) ? pattern + host : undefined;
}

/** An origin, or one whose host is `*.` and a domain. */
function readOrigin(entry: string): string | undefined {
  const [, scheme = '', pattern = '', rest = ''] = /^(https?:\/\/)(\*\.)?(.*)$/i.exec(entry) ?? [];
  const origin = toOrigin(scheme + rest);
  if (!origin || (pattern && isIP(hostName(new URL(origin).hostname)))) return undefined;
  return origin.replace('//', `//${pattern}`);
}

function check(changes: Partial<AdminSettings>): Partial<AdminSettings> {
  const checked = { ...changes };
  for (const { field, read, what, problem } of LISTS) {
    const entries = changes[field];
    if (!entries) continue;
    const stored = entries.map((entry) => {
      const plain = read(entry);
      if (plain !== undefined) return plain;
      throw new RequestError('invalid_request', `“${entry}” isn’t ${what}.`, { field, problem });
    });
    checked[field] = [...new Set(stored)];
  }
  if (changes.base_url === undefined) return checked;
  return { ...checked, base_url: changes.base_url ? requireOrigin(changes.base_url) : null }; // a form sends '' for a cleared field
}

function requireOrigin(text: string): string {
  const origin = toOrigin(text);
  if (origin) return origin;
  throw new RequestError(
    'invalid_request',
    text.includes('*')
      ? 'The link address can’t contain “*”, since every link starts with it. Enter one address, such as https://pics.example.org.'
      : 'The link address must be an http or https address without a path, such as https://pics.example.org.',
    {
      field: 'base_url',
      problem: 'not_origin',
    },
  );
}

/** Links with the old host name must keep working. */
function formerHosts({ base_url, former_hosts }: Settings, linkAddress: string, next: string | null): string[] {
  const { hostname } = new URL(base_url ?? linkAddress);
  // Addresses are always accepted; a name of the local network is only while links start with it.
  const left = isIP(hostName(hostname)) > 0 ? null : hostname;
  return withFormerHost(former_hosts, left, next && new URL(next).hostname);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
