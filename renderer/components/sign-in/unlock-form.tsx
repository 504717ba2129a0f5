import { IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '#api/client.ts';
import { PublicCard } from '#renderer/components/layout/public-frame.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { PasswordField } from '#renderer/plain/field.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './unlock-form.module.css';

interface Props {
  title: string;
  text: string;
  /** Sends the password. Rejects with the service's error. */
  unlock: (password: string) => Promise<unknown>;
}

/** Asks for the password of a protected image or album. */
export function UnlockForm({ title, text, unlock }: Props) {
  const { t } = useTranslation();
  const explain = useExplain();
  const format = useFormat();
  const field = useRef<HTMLInputElement>(null);
  const attempt = useMutation({ mutationFn: unlock, onError: () => field.current?.select() });
  const { error } = attempt;
  const wait = useWait(error);
  const wrong = error instanceof ApiError && error.code === 'wrong_password' ? error : undefined;
  const blocked = error instanceof ApiError && error.code === 'rate_limited';
  const time = format.duration(wait);
  const explanation = blocked ? { what: t('unlock.tooMany'), next: t('unlock.tooManyNext', { time }) } : explain(error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    attempt.mutate(String(new FormData(event.currentTarget).get('password')));
  };
  return (
    <PublicCard art={<IconLock size={40} stroke={1.4} />} title={title} text={text}>
      <form className={classes.form} onSubmit={submit}>
        {error && !wrong && (!blocked || wait > 0) && <ErrorNotice explanation={explanation} />}
        <PasswordField
          ref={field}
          name="password"
          size="md"
          label={t('unlock.password')}
          error={wrong && <span role="alert">{joinSentences(explanation.what, explanation.next)}</span>}
          autoComplete="off"
          required
          autoFocus
          show={t('unlock.show')}
        />
        <Button type="submit" size="md" loading={attempt.isPending} disabled={wait > 0}>
          {wait > 0 ? t('unlock.wait', { time }) : t('unlock.submit')}
        </Button>
      </form>
    </PublicCard>
  );
}

/** Counts down the whole seconds until the service accepts another attempt after `error`. */
function useWait(error: unknown): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const seconds = error instanceof ApiError && error.code === 'rate_limited' ? (error.retryAfter ?? 60) : 0;
    const end = Date.now() + seconds * 1000;
    const update = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    update();
    if (!seconds) return;
    const timer = setInterval(update, 500);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}
