import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useCallback, useRef } from 'react';
import { NetworkError } from '#api/client.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useConnectionLost } from '#renderer/service/connection.ts';
import { type Explanation, useExplain } from '#renderer/service/explain.ts';
import classes from './notice.module.css';

/** An inline error message, with what to do next. */
export function ErrorNotice({ explanation, onRetry }: { explanation: Explanation; onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={20} />}
      title={explanation.what}
      role="alert"
      classNames={{ title: classes.title }}
    >
      {explanation.next && (
        <Text size="sm" c="var(--mantine-color-text)">
          {explanation.next}
        </Text>
      )}
      {onRetry && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </Alert>
  );
}

interface LoadErrorProps {
  error: unknown;
  onRetry: () => void;
  /** Shown while the service can't be reached. */
  children?: ReactNode;
}

/** Why a part of a page in the shell couldn't be loaded. During an outage, the shell's banner says so already, and all is loaded again after it. */
export function LoadError({ error, onRetry, children }: LoadErrorProps) {
  const explain = useExplain();
  const lost = useConnectionLost();
  if (lost && error instanceof NetworkError) return children;
  return <ErrorNotice explanation={explain(error)} onRetry={onRetry} />;
}

/** Returns a function that shows an error as a notification, for failures without a place on the page. */
export function useNotifyError() {
  const explain = useExplain();
  const latest = useRef(explain);
  latest.current = explain;
  return useCallback((error: unknown, title?: string) => {
    const { what, next } = latest.current(error);
    // Without an error, the title says all that is known.
    const message = title ? (error === undefined ? undefined : joinSentences(what, next)) : next;
    notifications.show({
      color: 'red.7',
      title: title ?? what,
      message,
      icon: <IconAlertTriangle size={18} />,
      autoClose: 10_000,
    });
  }, []);
}

interface EmptyProps {
  art: ReactNode;
  title: string;
  children?: ReactNode;
  text: string;
  /** 1 if the page has no other heading. */
  order?: 1 | 2 | 3;
}

/** Shown where there is nothing yet: what belongs here and how to begin. */
export function EmptyState({ art, title, text, order = 2, children }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" className={classes.empty}>
      {art}
      <Title order={order} size="h2" ta="center" mt="md">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw="44ch" className={classes.text}>
        {text}
      </Text>
      {children}
    </Stack>
  );
}
