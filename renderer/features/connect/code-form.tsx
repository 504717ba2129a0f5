import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#api/client.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './connect.module.css';

interface Props {
  /** The code in the page's address. */
  given: string;
  /** Whether the code was valid before. */
  expired: boolean;
  pending: boolean;
  error: Error | null;
  onSubmit: (code: string) => void;
}

/** Asks for the code that the device shows. */
export function CodeForm({ given, expired, pending, error, onSubmit }: Props) {
  const { t } = useTranslation();
  const explain = useExplain();
  const unknown = error instanceof ApiError && error.code === 'not_found';
  return (
    <form
      className={classes.code}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(String(new FormData(event.currentTarget).get('code') ?? ''));
      }}
    >
      <div className={classes.art} aria-hidden="true">
        <IconDevices size={36} stroke={1.4} />
      </div>
      <Title order={1}>{t('connect.title')}</Title>
      <Text c="dimmed">{t('connect.intro')}</Text>
      <Stack mt="lg">
        <TextInput
          name="code"
          label={t('connect.code')}
          description={t('connect.where')}
          placeholder="XXXX-XXXX"
          defaultValue={given}
          maxLength={32}
          error={unknown && t(expired ? 'connect.expired' : 'connect.unknown')}
          classNames={{ input: classes.field ?? '' }}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          autoFocus
        />
        {error && !unknown && <ErrorNotice explanation={explain(error)} />}
        <Button type="submit" size="md" loading={pending}>
          {t('connect.next')}
        </Button>
      </Stack>
    </form>
  );
}
