import { Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DAY } from '#api/durations.ts';
import { ErrorNotice } from '#renderer/components/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import { type NewToken, useCreateToken } from './tokens.ts';

const EXPIRIES = [
  { seconds: 30 * DAY, label: 'tokens.days30' },
  { seconds: 90 * DAY, label: 'tokens.days90' },
  { seconds: 365 * DAY, label: 'tokens.year' },
  { seconds: 0, label: 'tokens.never' },
] as const;

interface Props {
  opened: boolean;
  onClose: () => void;
  onCreated: (token: NewToken) => void;
}

export function CreateToken(props: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={t('tokens.create')}>
      <CreateTokenForm {...props} />
    </Modal>
  );
}

function CreateTokenForm({ onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const explain = useExplain();
  const create = useCreateToken(onCreated);
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'upload' | 'full'>('upload');
  const [expiry, setExpiry] = useState('0');
  const [unnamed, setUnnamed] = useState(false);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setUnnamed(!name.trim());
        if (name.trim()) create.mutate({ name, scope, expires_in: Number(expiry) });
      }}
    >
      <Stack>
        {create.isError && <ErrorNotice explanation={explain(create.error)} />}
        <TextInput
          label={t('tokens.name')}
          placeholder={t('tokens.namePlaceholder')}
          error={unnamed && t('tokens.nameMissing')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          data-autofocus
        />
        <Radio.Group label={t('tokens.scope')} value={scope} onChange={(value) => setScope(value === 'full' ? 'full' : 'upload')}>
          <Stack gap="sm" mt="xs">
            <Radio value="upload" label={t('tokens.scopeUpload')} description={t('tokens.scopeUploadHint')} />
            <Radio value="full" label={t('tokens.scopeFull')} description={t('tokens.scopeFullHint')} />
          </Stack>
        </Radio.Group>
        <Select
          label={t('tokens.expiry')}
          value={expiry}
          onChange={(value) => setExpiry(value ?? '0')}
          allowDeselect={false}
          data={EXPIRIES.map(({ seconds, label }) => ({ value: String(seconds), label: t(label) }))}
        />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('tokens.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
