import { Button, Container } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PublicCard, PublicFrame, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { client } from '#renderer/service/client.ts';
import { CodeForm } from './code-form.tsx';
import { Review } from './review.tsx';

/** Where a signed-in user approves a device that wants to upload for them. A link with the code, `#code=…`, skips typing it. */
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
