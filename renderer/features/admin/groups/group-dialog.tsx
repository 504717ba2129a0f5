import { Divider, MultiSelect, Text, TextInput } from '@mantine/core';
import type { createGroup, Group } from '#api/admin/groups.ts';
import type { RouteInput } from '#api/contract.ts';
import { DAY } from '#api/durations.ts';
import { isDrawing, KNOWN_EXTS, labelsOf } from '#api/formats.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import classes from '../admin.module.css';
import { AmountInput } from '../amount-input.tsx';
import { BYTES, DURATIONS } from '../units.ts';
import { useChange } from '../use-change.ts';
import { useGivenName, usePolicies } from '../use-groups.ts';

type Body = RouteInput<typeof createGroup>['body'];
type Ext = (typeof KNOWN_EXTS)[number];

function toDraft(group: Group, name: string): Required<Body> {
  const { id: _id, kind: _kind, user_count: _count, created_at: _at, ...fields } = group;
  return { ...fields, name, allowed_exts: KNOWN_EXTS.filter((ext) => group.allowed_exts.includes(ext)) };
}

/** The limits of a group; a new one starts with those of the default group. */
export function GroupDialog({ group, model, onClose }: { group: Group | undefined; model: Group; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const policies = usePolicies();
  const shown = useGivenName()(group?.name ?? '');
  const change = useChange(
    ({ name, ...body }: Body) =>
      group
        ? // Unchanged, a name that pages translate stays the stored one.
          client.call('PATCH /admin/groups/:id', { params: { id: group.id }, body: { ...body, name: name === shown ? group.name : name } })
        : client.call('POST /admin/groups', { body: { ...body, name } }),
    { stale: ['groups', 'users', 'audit', 'config'], done: () => t('saved'), after: onClose, quiet: true },
  );
  const { draft, changed, edit, fault, text, field, flag } = useDraft(() => toDraft(group ?? model, shown), change.error);
  const amount = (name: AmountName) => ({ ...field(name), label: t(`groups.${name}`) });
  return (
    <FormDialog
      title={group ? t('groups.editTitle', { name: shown }) : t('groups.create')}
      submit={t(group ? 'save' : 'groups.create')}
      size="xl"
      change={change}
      changed={changed}
      onClose={onClose}
      onSubmit={() => change.mutate(draft)}
    >
      <TextInput label={t('name')} data-autofocus maxLength={100} {...text('name')} />
      <Text size="sm" c="dimmed">
        {t('groups.emptyMeans')}
      </Text>
      <div className={classes.pair}>
        <AmountInput {...amount('max_file_bytes')} zero={t('unlimited')} units={BYTES} usual={1024 ** 2} />
        <AmountInput
          {...amount('storage_quota_bytes')}
          label={t(group?.kind === 'guest' ? 'groups.storage_of_guests' : 'groups.storage_quota_bytes')}
          zero={t('unlimited')}
          units={BYTES}
          usual={1024 ** 3}
        />
      </div>
      <div className={classes.pair}>
        <AmountInput {...amount('max_video_bytes')} zero={t('unlimited')} units={BYTES} usual={1024 ** 2} />
        <AmountInput {...amount('max_video_seconds')} zero={t('unlimited')} units={DURATIONS} usual={60} />
      </div>
      <div className={classes.pair}>
        {(['uploads_per_minute', 'uploads_per_hour', 'uploads_per_day'] as const).map((name) => (
          <AmountInput key={name} {...amount(name)} zero={t('unlimited')} />
        ))}
      </div>
      <Divider />
      <MultiSelect
        label={t('groups.exts')}
        description={t('groups.extsHint', { videos: format.list(labelsOf('video')) })}
        value={draft.allowed_exts}
        error={fault('allowed_exts')}
        onChange={(exts) => edit({ allowed_exts: exts as Ext[] })}
        // A drawing can carry a script, so guests can't upload one.
        data={KNOWN_EXTS.filter((ext) => !isDrawing(ext) || group?.kind !== 'guest')}
      />
      <MultiSelect
        label={t('groups.policies')}
        description={t('groups.policiesHint')}
        value={draft.policy_ids.map(String)}
        error={fault('policy_ids')}
        onChange={(ids) => edit({ policy_ids: ids.map(Number) })}
        data={policies.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <Switch
        label={t('groups.allow_convert')}
        description={t('groups.allowConvertHint', { formats: format.choice(labelsOf('chosen')) })}
        {...flag('allow_convert')}
      />
      <Divider />
      <div className={`${classes.pair} ${classes.wide}`}>
        <AmountInput {...amount('default_expires_in')} zero={t('groups.forever')} units={DURATIONS} usual={DAY} />
        <AmountInput {...amount('max_expires_in')} zero={t('unlimited')} units={DURATIONS} usual={DAY} />
        <AmountInput {...amount('default_max_views')} zero={t('unlimited')} />
        <AmountInput {...amount('max_max_views')} zero={t('unlimited')} />
      </div>
      {group?.kind !== 'guest' && group?.kind !== 'owner' && (
        <Switch label={t('groups.listed')} description={t('groups.listedHint')} {...flag('listed')} />
      )}
      {group?.kind !== 'guest' && (
        <Switch label={t('groups.delete_expired')} description={t('groups.deleteExpiredHint')} {...flag('delete_expired')} />
      )}
    </FormDialog>
  );
}

type AmountName =
  | 'max_file_bytes'
  | 'max_video_bytes'
  | 'max_video_seconds'
  | 'storage_quota_bytes'
  | 'uploads_per_minute'
  | 'uploads_per_hour'
  | 'uploads_per_day'
  | 'default_expires_in'
  | 'max_expires_in'
  | 'default_max_views'
  | 'max_max_views';
