import { Select, TextInput } from '@mantine/core';
import type { createInvite } from '#api/auth/invites.ts';
import type { RouteInput } from '#api/contract.ts';
import { DAY } from '#api/durations.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useChange } from '../use-change.ts';
import { useGroups } from '../use-groups.ts';
import { ClosedNotice } from './closed-notice.tsx';

type Body = RouteInput<typeof createInvite>['body'];

const VALIDITY = [
  { seconds: DAY, label: 'invites.day' },
  { seconds: 7 * DAY, label: 'invites.week' },
  { seconds: 30 * DAY, label: 'invites.month' },
] as const;

export function CreateInvite({ onClose, onCreated }: { onClose: () => void; onCreated: (url: string) => void }) {
  const { t } = useTranslation('admin');
  const groups = useGroups().filter(({ kind }) => kind === 'default' || kind === 'custom');
  const usual = groups.find(({ kind }) => kind === 'default')?.id;
  const change = useChange((body: Body) => client.call('POST /admin/invites', { body }), {
    stale: ['invites', 'audit'],
    after: ({ url }) => onCreated(url),
    quiet: true,
  });
  const { draft, changed, edit, text } = useDraft<Body>({ note: '', email: null, group_id: null, expires_in: 7 * DAY }, change.error);
  return (
    <FormDialog
      title={t('invites.create')}
      submit={t('invites.create')}
      change={change}
      changed={changed}
      onClose={onClose}
      onSubmit={() => change.mutate(draft)}
    >
      <ClosedNotice />
      <TextInput label={t('invites.note')} description={t('invites.noteHint')} data-autofocus maxLength={200} {...text('note')} />
      <TextInput
        type="email"
        label={t('invites.email')}
        description={t('invites.emailHint')}
        autoComplete="off"
        {...text('email')}
        onChange={(event) => edit({ email: event.currentTarget.value || null })}
      />
      <Select
        label={t('users.group')}
        allowDeselect={false}
        value={String(draft.group_id ?? usual ?? '')}
        onChange={(id) => id && edit({ group_id: Number(id) })}
        data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <Select
        label={t('invites.validFor')}
        allowDeselect={false}
        value={String(draft.expires_in)}
        onChange={(seconds) => edit({ expires_in: Number(seconds) })}
        data={VALIDITY.map(({ seconds, label }) => ({ value: String(seconds), label: t(label) }))}
      />
    </FormDialog>
  );
}
