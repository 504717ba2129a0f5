import { Select, TextInput } from '@mantine/core';
import { AUDIT_ACTIONS } from '#api/constants.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { AdminFilters } from '../filters.ts';
import { UserSelect } from '../user-select.tsx';
import classes from './audit.module.css';
import { actionName } from './describe.ts';

/** The choice of all actions, which everyone can reach: the button that clears a list isn't for keyboards and screen readers. */
const ALL = 'all';

const ACTIONS = Object.entries(AUDIT_ACTIONS) as [keyof typeof AUDIT_ACTIONS, readonly string[]][];
const KNOWN = new Set(ACTIONS.flatMap(([thing, verbs]) => verbs.map((verb) => `${thing}.${verb}`)));

/** The filters as query parameters. Local days become instants; what the address got wrong is left out. */
export function toQuery({ action, user, from, until }: AdminFilters) {
  const start = (day: string | undefined, plus: number) => {
    const date = new Date(`${day}T00:00:00`);
    date.setDate(date.getDate() + plus);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  };
  const [first, end] = [start(from, 0), start(until, 1)];
  return {
    ...(action && KNOWN.has(action) && { action }),
    ...(user && { actor_id: user }),
    ...(first && { from: first }),
    ...(end && { to: end }),
  };
}

/** Narrows the audit log to an action, a user and days. */
export function Filters({ filters, onChange }: { filters: AdminFilters; onChange: (part: AdminFilters) => void }) {
  const { t } = useTranslation('admin');
  const { action = ALL, user = null, from = '', until = '' } = filters;
  return (
    <div className={classes.filters}>
      <Select
        label={t('audit.action')}
        searchable
        allowDeselect={false}
        value={KNOWN.has(action) ? action : ALL}
        onChange={(chosen) => onChange({ action: !chosen || chosen === ALL ? undefined : chosen })}
        data={[
          { value: ALL, label: t('audit.allActions') },
          ...ACTIONS.map(([thing, verbs]) => ({
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
        value={user}
        onChange={(id) => onChange({ user: id ?? undefined })}
      />
      <TextInput
        type="date"
        label={t('audit.from')}
        max={until || undefined}
        value={from}
        onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t('audit.until')}
        min={from || undefined}
        value={until}
        onChange={(event) => onChange({ until: event.currentTarget.value || undefined })}
      />
    </div>
  );
}
