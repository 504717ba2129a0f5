import { Input, SegmentedControl, Select, Slider, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Policy } from '#api/admin/policies.ts';
import { DEFAULT_QUALITY } from '#api/constants.ts';
import { extOf, FORMATS, formatsWith } from '#api/formats.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import classes from '../admin.module.css';
import { AmountInput } from '../amount-input.tsx';
import { DURATIONS } from '../units.ts';
import { useChange } from '../use-change.ts';
import { useGivenName } from '../use-groups.ts';
import { type BucketDraft, BucketFields, NEW_BUCKET, toConfig, useConnectionTest } from './bucket-fields.tsx';

type Draft = Omit<Policy, 'id' | 'config' | 'move' | 'folder' | 'image_count' | 'unused' | 'created_at'> & { folder: string };

/** The settings of the built-in policy. */
const FRESH = {
  name: '',
  driver: 'local',
  folder: '',
  keep_metadata: false,
  max_side: 0,
  convert_to: null,
  quality: DEFAULT_QUALITY,
  heic_to: 'jpg',
  cache_seconds: 0,
} as const satisfies Draft;

function toDraft({
  id: _id,
  config: _config,
  move: _move,
  image_count: _count,
  unused: _unused,
  created_at: _at,
  folder,
  ...rules
}: Policy): Draft {
  return { ...rules, folder: folder ?? '' };
}

export function PolicyDialog({ policy, onClose }: { policy: Policy | undefined; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const given = useGivenName();
  const where = useId();
  const change = useChange(
    ({ driver, folder, connection, ...rules }: Draft & { connection: BucketDraft | undefined }) => {
      const config = connection && toConfig(connection);
      if (!policy) return client.call('POST /admin/policies', { body: { ...rules, driver, ...(config ? { config } : { folder }) } });
      const { bucket: _bucket, prefix: _prefix, ...changes } = config ?? {};
      const body = { ...rules, ...(config && { config: changes }) };
      return client.call('PATCH /admin/policies/:id', { params: { id: policy.id }, body });
    },
    { stale: ['policies', 'audit', 'system'], done: () => t('saved'), after: onClose, quiet: true },
  );
  const form = useDraft<Draft>(() => (policy ? toDraft(policy) : FRESH), change.error);
  const test = useConnectionTest(policy);
  // The latest refusal is shown, whether of the test or of saving.
  const fault = test.submittedAt > change.submittedAt ? test.error : change.error;
  const bucket = useDraft(() => (policy?.config ? { ...policy.config, public_url: policy.config.public_url ?? '' } : NEW_BUCKET), fault);
  const { draft, text, edit } = form;
  return (
    <FormDialog
      title={policy ? t('policies.editTitle', { name: given(policy.name) }) : t('policies.create')}
      submit={t(policy ? 'save' : 'policies.create')}
      size="lg"
      change={{ isPending: change.isPending, error: fault }}
      changed={form.changed || bucket.changed}
      onClose={onClose}
      onSubmit={() =>
        change.mutate({ ...draft, connection: draft.driver === 's3' && (!policy || bucket.changed) ? bucket.draft : undefined })
      }
    >
      <TextInput label={t('name')} data-autofocus maxLength={100} {...text('name')} />
      {!policy && (
        <Input.Wrapper label={t('storage.where')} labelElement="div" labelProps={{ id: where }}>
          <SegmentedControl
            fullWidth
            aria-labelledby={where}
            value={draft.driver}
            onChange={(driver) => edit({ driver: driver === 's3' ? 's3' : 'local' })}
            data={[
              { value: 'local', label: t('storage.local') },
              { value: 's3', label: t('storage.s3') },
            ]}
          />
        </Input.Wrapper>
      )}
      {draft.driver === 's3' && <BucketFields form={bucket} isNew={!policy} test={test} />}
      {!policy && draft.driver === 'local' && (
        <TextInput
          label={t('policies.folder')}
          description={t('policies.folderHint')}
          placeholder="/srv/pictures"
          spellCheck={false}
          {...text('folder')}
        />
      )}
      <Rules form={form} />
    </FormDialog>
  );
}

const CONVERT_TO = formatsWith('policy').map(extOf);
const HEIC_TO = formatsWith('policy for HEIC').map(extOf);
const choices = (trait: 'policy' | 'policy for HEIC') =>
  formatsWith(trait).map((name) => ({ value: extOf(name), label: FORMATS[name].label }));

/** How new uploads are processed. */
function Rules({ form: { draft, edit, flag, field } }: { form: ReturnType<typeof useDraft<Draft>> }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const quality = useId();
  return (
    <>
      <Switch label={t('policies.keepMetadata')} description={t('policies.keepMetadataHint')} {...flag('keep_metadata')} />
      <div className={classes.pair}>
        <AmountInput label={t('policies.maxSide')} zero={t('policies.asIs')} {...field('max_side')} />
        <Select
          label={t('policies.convert')}
          allowDeselect={false}
          value={draft.convert_to ?? 'none'}
          onChange={(ext) => edit({ convert_to: CONVERT_TO.find((one) => one === ext) ?? null })}
          data={[{ value: 'none', label: t('policies.asIs') }, ...choices('policy')]}
        />
        <Select
          label={t('policies.heic')}
          allowDeselect={false}
          value={draft.heic_to}
          onChange={(ext) => edit({ heic_to: HEIC_TO.find((one) => one === ext) ?? 'jpg' })}
          data={choices('policy for HEIC').map((choice) =>
            choice.value === 'jpg' ? { ...choice, label: t('policies.heicJpeg') } : choice,
          )}
        />
        <AmountInput label={t('policies.cache')} zero={t('policies.noCache')} units={DURATIONS} usual={60} {...field('cache_seconds')} />
      </div>
      <Input.Wrapper
        label={`${t('policies.quality')} · ${format.percent(draft.quality / 100)}`}
        description={t('policies.qualityHint')}
        labelElement="div"
        labelProps={{ id: quality }}
      >
        <Slider
          mt="xs"
          thumbSize={24}
          min={1}
          max={100}
          value={draft.quality}
          onChange={(value) => edit({ quality: value })}
          thumbProps={{ 'aria-labelledby': quality }}
          label={null}
        />
      </Input.Wrapper>
    </>
  );
}
