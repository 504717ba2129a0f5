import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AUDIT_ACTIONS } from '#api/constants.ts';
import { UserSelect } from '../user-select.tsx';
import classes from './audit.module.css';
import { actionName } from './describe.ts';

export interface AuditFilter {
  action: string | null;
  user: number | null;
  /** Local days such as `2026-11-21`, both included; empty: no limit. */
  from: string;
  until: string;
}

/** The choice of all actions, which everyone can reach: the button that clears a list isn't for keyboards and screen readers. */
const ALL = 'all';

export const NO_FILTER: AuditFilter = { action: null, user: null, from: '', until: '' };

/** The filters as query parameters. Local days become instants. */
export function toQuery({ action, user, from, until }: AuditFilter) {
  const start = (day: string, plus: number) => {
    const date = new Date(`${day}T00:00:00`);
    date.setDate(date.getDate() + plus);
    return date.toISOString();
  };
  return {
    ...(action && { action }),
    ...(user !== null && { actor_id: user }),
    ...(from && { from: start(from, 0) }),
    ...(until && { to: start(until, 1) }),
  };
}

/** Narrows the audit log to an action, a user and days. */
export function Filters({ filter, onChange }: { filter: AuditFilter; onChange: (filter: AuditFilter) => void }) {
  const { t } = useTranslation('admin');
  const narrow = (part: Partial<AuditFilter>) => onChange({ ...filter, ...part });
  const things = Object.entries(AUDIT_ACTIONS) as [keyof typeof AUDIT_ACTIONS, readonly string[]][];
  return (
    <div className={classes.filters}>
      <Select
        label={t('audit.action')}
        searchable
        allowDeselect={false}
        value={filter.action ?? ALL}
        onChange={(action) => narrow({ action: action === ALL ? null : action })}
        data={[
          { value: ALL, label: t('audit.allActions') },
          ...things.map(([thing, verbs]) => ({
            group: t(`audit.things.${thing}`),
            items: verbs.map((verb) => ({ value: `${thing}.${verb}`, label: actionName(t, `${thing}.${verb}`) })),
          })),
        ]}
      />
      <UserSelect
        label={t('audit.user')}
        placeholder={t('audit.allUsers')}
        clearable
        clearButtonProps={{ 'aria-label': t('audit.allUsers') }}
        value={filter.user}
        onChange={(user) => narrow({ user })}
      />
      <TextInput
        type="date"
        label={t('audit.from')}
        max={filter.until || undefined}
        value={filter.from}
        onChange={(event) => narrow({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('audit.until')}
        min={filter.from || undefined}
        value={filter.until}
        onChange={(event) => narrow({ until: event.currentTarget.value })}
      />
    </div>
  );
}
