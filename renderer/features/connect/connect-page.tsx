import { Button, Container, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconDevices } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '#api/client.ts';
import { PublicCard, PublicFrame, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './connect.module.css';
import { Review } from './review.tsx';

/** Where a signed-in user approves a device that wants access. A link with the code, `#code=…`, skips typing it. */
export function ConnectPage() {
  const { hash } = useLocation();
  const code = new URLSearchParams(hash.replace(/^#/, '')).get('code') ?? '';
  return (
    <PublicFrame>
      <Connecting key={code} given={code} />
    </PublicFrame>
  );
}

function Connecting({ given }: { given: string }) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<'approve' | 'deny'>();
  const search = useMutation({ mutationFn: (user_code: string) => client.call('POST /device/find', { body: { user_code } }) });
  const { mutate } = search;
  usePageTitle(t('connect.title'));
  useEffect(() => {
    if (given) mutate(given);
  }, [given, mutate]);

  // Asks the service, whose clock counts.
  const shown = search.data?.user_code;
  const [checked, setChecked] = useState<string>();
  const checkAgain = useCallback(() => {
    if (shown === undefined) return;
    setChecked(shown);
    mutate(shown);
  }, [shown, mutate]);

  if (outcome && search.data) return <Outcome decision={outcome} name={search.data.name} />;
  if (search.data) return <Review request={search.data} onDecided={setOutcome} onExpired={checkAgain} />;
  return (
    <Container size={440} w="100%" py="8vh">
      <CodeForm given={given} expired={search.variables === checked} pending={search.isPending} error={search.error} onSubmit={mutate} />
    </Container>
  );
}

function Outcome({ decision, name }: { decision: 'approve' | 'deny'; name: string }) {
  const { t } = useTranslation();
  const approved = decision === 'approve';
  const Icon = approved ? IconCircleCheck : IconCircleX;
  return (
    <div role="status" style={{ display: 'contents' }}>
      <PublicCard
        art={<Icon size={40} stroke={1.4} />}
        title={t(approved ? 'connect.approvedTitle' : 'connect.deniedTitle', { name })}
        text={t(approved ? 'connect.approvedText' : 'connect.deniedText')}
      >
        <Button variant="default" mt="lg" renderRoot={(props) => <Link to={approved ? '/settings/tokens' : '/'} {...props} />}>
          {t(approved ? 'connect.toTokens' : 'app.toPictures')}
        </Button>
      </PublicCard>
    </div>
  );
}

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
function CodeForm({ given, expired, pending, error, onSubmit }: Props) {
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
