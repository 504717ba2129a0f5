import { IconCircleCheck, IconCircleX, IconClockOff, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useBrand } from '#renderer/components/layout/brand.tsx';
import { PublicCard, PublicFrame, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { TextField } from '#renderer/plain/field.tsx';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './phone.module.css';
import { Setup } from './setup.tsx';
import { phoneName } from './this-phone.ts';

const ICON = { size: 40, stroke: 1.4 } as const;

/** What a phone opens with the QR code: it asks for a token, waits for the approval on the computer, and shows what to set up. */
export function PhonePage() {
  const code = new URLSearchParams(location.hash.replace(/^#/, '')).get('code') ?? '';
  const { t } = useTranslation();
  const [stage, setStage] = useStage(code);
  usePageTitle(t('phone.title'));
  return (
    <PublicFrame>
      <Content code={code} stage={stage} onStage={setStage} />
    </PublicFrame>
  );
}

interface Props {
  code: string;
  stage: Stage;
  onStage: (stage: Stage) => void;
}

function Content({ code, stage, onStage }: Props) {
  const { t } = useTranslation();
  if (stage.at === 'start') return <Start code={code} onStage={onStage} />;
  if (stage.at === 'asking') return <Asking asking={stage} onStage={onStage} />;
  if (stage.at === 'done') return <Setup username={stage.username} token={stage.token} onDone={() => onStage({ at: 'finished' })} />;
  const Icon = { finished: IconCircleCheck, denied: IconCircleX, used: IconClockOff, expired: IconClockOff }[stage.at];
  return (
    <div role="status" className={classes.outcome}>
      <PublicCard art={<Icon {...ICON} />} title={t(`phone.${stage.at}Title`)} text={t(`phone.${stage.at}Text`)} />
    </div>
  );
}

/** Asks only when told to: programs that look at links in advance would use up the code. */
function Start({ code, onStage }: Pick<Props, 'code' | 'onStage'>) {
  const { t } = useTranslation();
  const explain = useExplain();
  const { site_name: site } = useBrand();
  const ask = useMutation({
    mutationFn: (name: string) => client.call('POST /phone/requests', { body: { code, name } }),
    onSuccess: (asked) =>
      onStage(
        asked.state === 'asking'
          ? { at: 'asking', phoneCode: asked.phone_code, checkCode: asked.check_code, interval: asked.interval }
          : { at: asked.state },
      ),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate(String(new FormData(event.currentTarget).get('name')));
  };
  return (
    <PublicCard art={<IconDeviceMobile {...ICON} />} title={t('phone.title')} text={t('phone.text', { site })}>
      <form className={classes.form} onSubmit={submit}>
        {ask.error && <ErrorNotice explanation={explain(ask.error)} />}
        <TextField
          name="name"
          size="md"
          label={t('phone.name')}
          defaultValue={phoneName() ?? t('phone.unnamed')}
          maxLength={100}
          autoComplete="off"
          required
        />
        <Button type="submit" size="md" loading={ask.isPending}>
          {t('phone.ask')}
        </Button>
      </form>
    </PublicCard>
  );
}

function Asking({ asking, onStage }: { asking: Extract<Stage, { at: 'asking' }>; onStage: Props['onStage'] }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const { phoneCode, checkCode, interval } = asking;
  const { data, error } = useQuery({
    queryKey: ['phone', phoneCode],
    queryFn: () => client.call('POST /phone/token', { body: { phone_code: phoneCode } }),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.state === 'pending' ? interval * 1000 : false),
    refetchIntervalInBackground: true,
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response counts once
  useEffect(() => {
    if (!data || data.state === 'pending') return;
    onStage(data.state === 'approved' ? { at: 'done', token: data.token, username: data.username } : { at: data.state });
  }, [data]);
  return (
    <PublicCard art={<IconDeviceMobile {...ICON} />} title={t('phone.waitingTitle')} text={t('phone.waitingText')}>
      <div className={classes.check}>{checkCode}</div>
      {error && <ErrorNotice explanation={explain(error)} />}
    </PublicCard>
  );
}

/** How far a phone has come with its code. */
type Stage =
  | { at: 'start' }
  | { at: 'asking'; phoneCode: string; checkCode: string; interval: number }
  | { at: 'done'; token: string; username: string }
  | { at: 'finished' | 'denied' | 'used' | 'expired' };

const KEY = 'pixdock.phone';

/**
 * The stage, kept in this tab until it is closed: phones load a page again when its user returns from another app, as when copying the
 * values that are shown here, and the service returns the token only once.
 */
function useStage(code: string): [Stage, (stage: Stage) => void] {
  const [stage, setStage] = useState<Stage>(() => read(code));
  const change = (next: Stage) => {
    write({ code, stage: next });
    setStage(next);
  };
  return [stage, change];
}

function read(code: string): Stage {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { code?: string; stage?: Stage };
    if (kept.code === code && kept.stage) return kept.stage;
  } catch {
    // Storage is blocked: a page that is loaded again needs another code.
  }
  return code ? { at: 'start' } : { at: 'expired' };
}

function write(kept: { code: string; stage: Stage }): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // As above.
  }
}
