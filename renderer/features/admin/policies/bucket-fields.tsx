import { Alert, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Policy } from '#api/admin/policies.ts';
import { MASKED_SECRET } from '#api/constants.ts';
import type { useDraft } from '#renderer/components/forms/form.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import classes from '../admin.module.css';
import { useChange } from '../use-change.ts';

/** The fields of a bucket, where an empty text stands for null. */
export type BucketDraft = Omit<NonNullable<Policy['config']>, 'public_url'> & { public_url: string };

export const NEW_BUCKET: BucketDraft = {
  endpoint: '',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  path_style: true,
  access_key_id: '',
  secret_access_key: '',
  public_url: '',
};

/** The settings that the service takes. */
export const toConfig = (draft: BucketDraft) => ({ ...draft, public_url: draft.public_url.trim() || null });

/** Tests the connection with what is in the form. */
export function useConnectionTest(policy: Policy | undefined) {
  return useChange(
    (draft: BucketDraft) =>
      client.call('POST /admin/policies/test', { body: { ...(policy && { policy_id: policy.id }), config: toConfig(draft) } }),
    { quiet: true },
  );
}

interface Props {
  form: ReturnType<typeof useDraft<BucketDraft>>;
  /** Bucket and prefix of an existing policy stay. */
  isNew: boolean;
  test: ReturnType<typeof useConnectionTest>;
}

/** How a bucket is reached. */
export function BucketFields({ form: { draft, fault, text, flag }, isNew, test }: Props) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const plain = { autoComplete: 'off', spellCheck: false } as const;
  const wrong = (name: keyof BucketDraft & string) => ({ error: fault(`config.${name}`) });
  return (
    <>
      <TextInput
        label={t('storage.endpoint')}
        description={t('storage.endpointHint')}
        placeholder="https://s3.eu-central-1.amazonaws.com"
        inputMode="url"
        {...plain}
        {...text('endpoint')}
        {...wrong('endpoint')}
      />
      <TextInput label={t('storage.region')} {...plain} {...text('region')} {...wrong('region')} />
      <div>
        <div className={classes.pair}>
          <TextInput label={t('storage.bucket')} disabled={!isNew} {...plain} {...text('bucket')} {...wrong('bucket')} />
          <TextInput
            label={t('storage.prefix')}
            placeholder="pixdock"
            disabled={!isNew}
            {...plain}
            {...text('prefix')}
            {...wrong('prefix')}
          />
        </div>
        {isNew && (
          <Text size="xs" c="dimmed" mt={6}>
            {t('storage.fixedHint')}
          </Text>
        )}
      </div>
      <Switch label={t('storage.pathStyle')} description={t('storage.pathStyleHint')} {...flag('path_style')} />
      <TextInput label={t('storage.accessKey')} {...plain} {...text('access_key_id')} {...wrong('access_key_id')} />
      <PasswordInput
        label={t('storage.secretKey')}
        description={draft.secret_access_key === MASKED_SECRET ? t('storage.secretKept') : undefined}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('storage.showSecret') }}
        onFocus={(event) => event.currentTarget.select()}
        {...text('secret_access_key')}
        {...wrong('secret_access_key')}
      />
      <TextInput
        label={t('storage.publicUrl')}
        description={t('storage.publicUrlHint')}
        placeholder="https://cdn.example.org/pixdock"
        inputMode="url"
        {...plain}
        {...text('public_url')}
        {...wrong('public_url')}
      />
      <Group>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate(draft)}>
          {t('storage.test')}
        </Button>
      </Group>
      {test.data && (
        <Alert role="status" color="teal" variant="light" icon={<IconCircleCheck size={20} />}>
          <Text size="sm" c="var(--mantine-color-text)">
            {t('storage.works', { ms: format.number(test.data.milliseconds) })}
          </Text>
        </Alert>
      )}
    </>
  );
}
