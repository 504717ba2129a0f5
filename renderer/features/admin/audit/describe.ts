import type { AuditEntry } from '#api/admin/audit.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import type { TFunction } from '#renderer/i18n/t.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useGroups, usePolicies } from '../use-groups.ts';

type T = TFunction<'admin'>;

/** A stored code in words; the code itself if it is from another version. */
const named = (t: T, key: string, code: string): string => t(key as never, { defaultValue: code });

export const actionName = (t: T, action: string) => named(t, `audit.actions.${action}`, action);
const fieldName = (t: T, field: string) => named(t, `audit.fields.${field}`, field.replaceAll('_', ' '));

/** What the action was about: a name, or in words where the log stores codes. */
export function targetName(t: T, list: (parts: readonly string[]) => string, { action, target, details }: AuditEntry): string {
  if (action === 'images.purged' && Array.isArray(details.keys)) return t('audit.pictures', { count: details.keys.length });
  if (action === 'settings.changed') return list(target.split(', ').map((field) => fieldName(t, field)));
  return action === 'system.cleaned_up' ? named(t, `system.cleanUps.${target}`, target) : target;
}

/** Returns a function that puts an entry's details into words: the name and the value of each. */
export function useDetails(): (details: AuditEntry['details']) => { name: string; value: string }[] {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const groups = useGroups();
  const policies = usePolicies();
  const byId = (list: readonly { id: number; name: string }[], id: unknown) => list.find((one) => one.id === id)?.name ?? String(id);

  function text(field: string, value: unknown): string {
    if (value === null || value === undefined || value === '') return t('audit.values.none');
    if (typeof value === 'boolean') return t(value ? 'audit.values.yes' : 'audit.values.no');
    if (field === 'group_id') return byId(groups, value);
    if (Array.isArray(value)) {
      const parts = value.map((one) => (field === 'policy_ids' ? byId(policies, one) : String(one)));
      return format.list(parts) || t('audit.values.none');
    }
    if (typeof value === 'number') {
      if (field.endsWith('_bytes')) return format.bytes(value);
      return field.endsWith('_in') || field.endsWith('_seconds') ? (value ? format.period(value) : '0') : format.number(value);
    }
    if (typeof value === 'object')
      return format.list(Object.entries(value).map(([name, part]) => format.labelled(fieldName(t, name), text(name, part))));
    return named(t, `audit.values.${String(value)}`, String(value));
  }

  return (details) =>
    Object.entries(details).map(([field, value]) => ({
      name: fieldName(t, field),
      value: isChange(value) ? t('audit.change', { from: text(field, value.from), to: text(field, value.to) }) : text(field, value),
    }));
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
