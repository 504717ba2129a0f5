import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenScope } from '#api/auth/tokens.ts';
import { DAY } from '#api/durations.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { type NewToken, useCreateToken } from './tokens.ts';

const EXPIRIES = [
  { seconds: 30 * DAY, label: 'tokens.days30' },
  { seconds: 90 * DAY, label: 'tokens.days90' },
  { seconds: 365 * DAY, label: 'tokens.year' },
  { seconds: 0, label: 'tokens.never' },
] as const;

interface Props {
  onClose: () => void;
  onCreated: (token: NewToken) => void;
}

export function CreateToken({ onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const create = useCreateToken(onCreated);
  const { data: session } = useQuery(sessionQuery);
  const { draft, changed, edit, text } = useDraft<{ name: string; scope: TokenScope; expires_in: number }>(
    { name: '', scope: 'upload', expires_in: 0 },
    create.error,
  );
  const [unnamed, setUnnamed] = useState(false);
  const save = () => {
    setUnnamed(!draft.name.trim());
    if (draft.name.trim()) create.mutate(draft);
  };
  return (
    <FormDialog title={t('tokens.create')} submit={t('tokens.create')} change={create} changed={changed} onClose={onClose} onSubmit={save}>
      <TextInput
        label={t('tokens.name')}
        placeholder={t('tokens.namePlaceholder')}
        maxLength={100}
        required
        data-autofocus
        {...text('name')}
        {...(unnamed && { error: t('tokens.nameMissing') })}
      />
      <Radio.Group label={t('tokens.scope')} value={draft.scope} onChange={(scope) => edit({ scope: scope as TokenScope })}>
        <Stack gap="sm" mt="xs">
          <Radio value="upload" label={t('tokens.scopeUpload')} description={t('tokens.scopeUploadHint')} />
          <Radio value="full" label={t('tokens.scopeFull')} description={t('tokens.scopeFullHint')} />
          {session?.user?.role === 'admin' && (
            <Radio value="metrics" label={t('tokens.scopeMetrics')} description={t('tokens.scopeMetricsHint')} />
          )}
        </Stack>
      </Radio.Group>
      <Select
        label={t('tokens.expiry')}
        value={String(draft.expires_in)}
        onChange={(seconds) => edit({ expires_in: Number(seconds) })}
        allowDeselect={false}
        data={EXPIRIES.map(({ seconds, label }) => ({ value: String(seconds), label: t(label) }))}
      />
    </FormDialog>
  );
}
