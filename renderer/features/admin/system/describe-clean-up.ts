import type { TFunction } from 'i18next';
import type { CleanedUp } from '#api/admin/system.ts';

/** How much a clean-up has freed, and how much will be freed later. */
export function describeCleanUp(t: TFunction<'admin'>, bytes: (value: number) => string, { freed_bytes, later_bytes }: CleanedUp): string {
  const values = { size: bytes(freed_bytes), later: bytes(later_bytes) };
  if (later_bytes === 0) return t('system.freed', values);
  return t(freed_bytes === 0 ? 'system.freedLater' : 'system.freedPartly', values);
}
