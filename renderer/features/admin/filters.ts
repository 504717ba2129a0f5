import { useNavigate, useSearch } from '@tanstack/react-router';

/** What the lists and charts of the administration are narrowed to, in their address: reload, back and links keep it. */
export interface AdminFilters {
  q?: string | undefined;
  /** The ids of an account and of a group. */
  user?: number | undefined;
  group?: number | undefined;
  guests?: true | undefined;
  state?: 'trash' | undefined;
  visibility?: 'public' | 'private' | undefined;
  /** Of the audit log, such as `user.signed_in`. */
  action?: string | undefined;
  /** Local days such as `2026-11-21`, both included. */
  from?: string | undefined;
  until?: string | undefined;
  days?: number | undefined;
}

const text = (value: unknown, pattern: RegExp) => (typeof value === 'string' && pattern.test(value) ? value : undefined);
const id = (value: unknown) => (Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined);
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Parses the search parameters and drops invalid ones, since users edit and truncate addresses. */
export function parseAdminFilters(search: Record<string, unknown>): AdminFilters {
  // The router parses text that looks like a number into one.
  const q = typeof search.q === 'number' ? String(search.q) : search.q;
  return {
    q: typeof q === 'string' && q.trim() ? q.slice(0, 300) : undefined,
    user: id(search.user),
    group: id(search.group),
    guests: search.guests === true ? true : undefined,
    state: search.state === 'trash' ? 'trash' : undefined,
    visibility: search.visibility === 'public' || search.visibility === 'private' ? search.visibility : undefined,
    action: text(search.action, /^[a-z_]+\.[a-z_]+$/),
    from: text(search.from, DAY),
    until: text(search.until, DAY),
    days: id(search.days),
  };
}

/** The filters in the address, and functions that change some of them or remove all. */
export function useAdminFilters() {
  const filters: AdminFilters = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (search: (before: AdminFilters) => AdminFilters) => void navigate({ to: '.', search, replace: true, resetScroll: false });
  return {
    filters,
    narrow: (part: AdminFilters) => go((before) => ({ ...before, ...part })),
    clear: () => go(() => ({})),
  };
}
