import { Button, Group, Progress, Select, Text } from '@mantine/core';
import type { Policy } from '#api/admin/policies.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useChange } from '../use-change.ts';
import { useGivenName } from '../use-groups.ts';

/** Chooses where the pictures of a policy go. */
export function MoveDialog({ policy, others, onClose }: { policy: Policy; others: Policy[]; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const given = useGivenName();
  const change = useChange(
    (to: string) => client.call('POST /admin/policies/:id/move', { params: { id: policy.id }, body: { to_policy_id: Number(to) } }),
    { stale: ['policies', 'audit'], after: onClose, quiet: true },
  );
  const { draft, changed, edit, fault } = useDraft({ to_policy_id: String(others[0]?.id ?? '') }, change.error);
  return (
    <FormDialog
      title={t('storage.moveTitle', { name: given(policy.name) })}
      submit={t('storage.moveStart')}
      change={change}
      changed={changed}
      onClose={onClose}
      onSubmit={() => change.mutate(draft.to_policy_id)}
    >
      <Text size="sm">{t('storage.moveText')}</Text>
      <Select
        label={t('storage.moveTo')}
        allowDeselect={false}
        data={others.map(({ id, name }) => ({ value: String(id), label: given(name) }))}
        value={draft.to_policy_id}
        onChange={(to) => edit({ to_policy_id: to ?? '' })}
        error={fault('to_policy_id')}
      />
    </FormDialog>
  );
}

/** How far along a move is. */
export function MoveProgress({ policy, move, target }: { policy: Policy; move: NonNullable<Policy['move']>; target: string }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const stop = useChange(() => client.call('DELETE /admin/policies/:id/move', { params: { id: policy.id } }), {
    stale: ['policies', 'audit'],
  });
  const total = move.moved + move.remaining;
  const label = t('storage.moving', { name: target, done: format.number(move.moved), total: format.number(total) });
  return (
    <div>
      <p className={shared.facts}>{label}</p>
      <Group wrap="nowrap">
        <Progress flex={1} value={total > 0 ? (move.moved / total) * 100 : 100} color="petrol" aria-label={label} />
        <Button variant="subtle" size="compact-sm" loading={stop.isPending} onClick={() => stop.mutate(undefined)}>
          {t('storage.moveStop')}
        </Button>
      </Group>
      {move.fault !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('storage.moveFault')}
        </Text>
      )}
    </div>
  );
}
