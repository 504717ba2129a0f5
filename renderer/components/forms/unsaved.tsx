import { Button, Group, Modal, type ModalProps, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { isServed } from '#renderer/platform/bridge.ts';

interface UnsavedProps {
  when: boolean;
  /** Any other address leaves what is unsaved, even one on the same page. */
  everywhere?: boolean;
}

/** While `when` is true, asks before the user leaves the page for another one, and before the browser closes it. */
export function Unsaved({ when, everywhere = false }: UnsavedProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => when && (everywhere || current.pathname !== next.pathname),
    enableBeforeUnload: when,
    withResolver: true,
  });
  return status === 'blocked' ? <DiscardQuestion onDiscard={proceed} onStay={reset} /> : null;
}

interface Props extends ModalProps {
  /** Whether closing loses anything. */
  changed: boolean;
}

/** A dialog with a form: asks before a click outside it, Escape or the browser loses what the user has entered. */
export function FormModal({ changed, onClose, children, ...props }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <Modal {...props} onClose={() => (changed ? setAsking(true) : onClose())}>
      {children}
      {/* The desktop app's own pages have no navigation. */}
      {isServed() && <Unsaved when={changed && props.opened} />}
      {asking && (
        <DiscardQuestion
          onStay={() => setAsking(false)}
          onDiscard={() => {
            setAsking(false);
            onClose();
          }}
        />
      )}
    </Modal>
  );
}

function DiscardQuestion({ onDiscard, onStay }: { onDiscard: () => void; onStay: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onStay} title={t('unsaved.title')} size="sm">
      <Text size="sm">{t('unsaved.text')}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onStay} data-autofocus>
          {t('unsaved.stay')}
        </Button>
        <Button color="red.8" onClick={onDiscard}>
          {t('unsaved.discard')}
        </Button>
      </Group>
    </Modal>
  );
}

/** Reports to the dialog around a form whether it has unsaved changes. */
export function useReport(changed: boolean, report: (changed: boolean) => void) {
  useEffect(() => {
    report(changed);
    return () => report(false);
  }, [changed, report]);
}
