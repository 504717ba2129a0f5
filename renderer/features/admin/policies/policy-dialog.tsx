import { Input, Select, Slider, Switch, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { createPolicy, Policy } from '#api/admin-policies.ts';
import type { RouteInput } from '#api/contract.ts';
import { client } from '#renderer/service/client.ts';
import { useFieldError } from '#renderer/service/field-error.ts';
import classes from '../admin.module.css';
import { AmountInput } from '../amount-input.tsx';
import { NamedDialog, useDraft } from '../named-dialog.tsx';
import { DURATIONS } from '../units.ts';
import { useChange } from '../use-change.ts';

type Body = RouteInput<typeof createPolicy>['body'];

/** A new policy starts as careful as the built-in one. */
const FRESH = {
  name: '',
  folder: '',
  keep_metadata: false,
  max_side: 0,
  convert_to: null,
  quality: 82,
  heic_to: 'jpg',
  cache_seconds: 300,
} as const satisfies Required<Body>;

function toDraft({ id: _id, driver: _driver, image_count: _count, created_at: _at, folder, ...rules }: Policy): Required<Body> {
  return { ...rules, folder: folder ?? '' };
}

export function PolicyDialog({ policy, onClose }: { policy: Policy | undefined; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const [draft, edit] = useDraft<Required<Body>>(() => (policy ? toDraft(policy) : FRESH));
  const change = useChange(
    ({ folder, ...rules }: Required<Body>) =>
      policy
        ? client.call('PATCH /admin/policies/:id', { params: { id: policy.id }, body: rules })
        : client.call('POST /admin/policies', { body: { ...rules, folder } }),
    { stale: ['policies', 'audit', 'system'], done: () => t('saved'), after: onClose, quiet: true },
  );
  const fault = useFieldError(change.error);
  return (
    <NamedDialog
      named={policy}
      kind="policies"
      size="lg"
      draft={draft}
      edit={edit}
      change={change}
      fields={['folder', 'max_side', 'cache_seconds']}
      onClose={onClose}
    >
      {!policy && (
        <TextInput
          label={t('policies.folder')}
          description={t('policies.folderHint')}
          placeholder="/srv/pictures"
          spellCheck={false}
          value={draft.folder}
          error={fault('folder')}
          onChange={(event) => edit({ folder: event.currentTarget.value })}
        />
      )}
      <Rules draft={draft} error={change.error} edit={edit} />
    </NamedDialog>
  );
}

/** What is done to pictures that come in. */
function Rules({ draft, error, edit }: { draft: Required<Body>; error: unknown; edit: (part: Partial<Body>) => void }) {
  const { t } = useTranslation('admin');
  const fault = useFieldError(error);
  const quality = useId();
  return (
    <>
      <Switch
        label={t('policies.keepMetadata')}
        description={t('policies.keepMetadataHint')}
        checked={draft.keep_metadata}
        onChange={(event) => edit({ keep_metadata: event.currentTarget.checked })}
      />
      <div className={classes.pair}>
        <AmountInput
          label={t('policies.maxSide')}
          value={draft.max_side}
          zero={t('policies.asIs')}
          error={fault('max_side')}
          onChange={(max_side) => edit({ max_side })}
        />
        <Select
          label={t('policies.convert')}
          allowDeselect={false}
          value={draft.convert_to ?? 'none'}
          onChange={(format) => edit({ convert_to: format === 'jpg' || format === 'png' || format === 'webp' ? format : null })}
          data={[
            { value: 'none', label: t('policies.asIs') },
            { value: 'jpg', label: 'JPEG' },
            { value: 'png', label: 'PNG' },
            { value: 'webp', label: 'WebP' },
          ]}
        />
        <Select
          label={t('policies.heic')}
          allowDeselect={false}
          value={draft.heic_to}
          onChange={(format) => edit({ heic_to: format === 'webp' ? 'webp' : 'jpg' })}
          data={[
            { value: 'jpg', label: 'JPEG' },
            { value: 'webp', label: 'WebP' },
          ]}
        />
        <AmountInput
          label={t('policies.cache')}
          value={draft.cache_seconds}
          zero={t('policies.noCache')}
          units={DURATIONS}
          usual={60}
          error={fault('cache_seconds')}
          onChange={(cache_seconds) => edit({ cache_seconds })}
        />
      </div>
      <Input.Wrapper label={t('policies.quality')} description={t('policies.qualityHint')} labelElement="div" labelProps={{ id: quality }}>
        <Slider
          mt="xs"
          mb="lg"
          min={1}
          max={100}
          value={draft.quality}
          onChange={(value) => edit({ quality: value })}
          thumbProps={{ 'aria-labelledby': quality }}
          marks={[
            { value: 60, label: '60' },
            { value: 82, label: '82' },
            { value: 95, label: '95' },
          ]}
        />
      </Input.Wrapper>
    </>
  );
}
