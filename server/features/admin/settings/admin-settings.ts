import { isIP } from 'node:net';
import type { AdminSettings } from '#api/admin/settings.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { withFormerHost } from '#server/core/settings/former-hosts.ts';
import type { Settings } from '#server/core/settings/settings.ts';
import type { SettingsStore } from '#server/core/settings/settings-store.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { toOrigin } from '#server/platform/config/config.ts';
import type { Author } from '#server/platform/db/database.ts';
import { isAllowListEntry } from '#server/platform/fetching/addresses.ts';
import type { LogoChange } from '../branding/logo.ts';

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

/** The settings that are lists, and what each entry must be. */
const LISTS = [
  {
    field: 'fetch_allowed_hosts',
    fits: isAllowListEntry,
    what: 'a host name, an IP address or a network such as 10.1.0.0/16',
    problem: 'not_host_or_network',
  },
  {
    field: 'cors_origins',
    fits: (entry: string) => toOrigin(entry) === entry,
    what: 'an origin such as https://app.example.org',
    problem: 'not_web_origin',
  },
  { field: 'hotlink_sites', fits: isSite, what: 'a host name such as example.org or *.example.org', problem: 'not_site' },
] as const;

/** A host name, or `*.` and a domain. */
function isSite(entry: string) {
  const host = entry.replace(/^\*\./, '');
  return /^[a-z0-9_.-]+$/.test(host) && URL.parse(`http://${host}`)?.hostname === host;
}

function check(changes: Partial<AdminSettings>): Partial<AdminSettings> {
  for (const { field, fits, what, problem } of LISTS) {
    const wrong = changes[field]?.find((entry) => !fits(entry));
    if (wrong !== undefined) throw new RequestError('invalid_request', `“${wrong}” isn’t ${what}.`, { field, problem });
  }
  if (changes.base_url === undefined) return changes;
  return { ...changes, base_url: changes.base_url ? requireOrigin(changes.base_url) : null }; // a form sends '' for a cleared field
}

function requireOrigin(text: string): string {
  const origin = toOrigin(text);
  if (origin) return origin;
  throw new RequestError(
    'invalid_request',
    'The link address must be an http or https address without a path, such as https://pics.example.org.',
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
  const left = isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? null : hostname;
  return withFormerHost(former_hosts, left, next && new URL(next).hostname);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
