import { Button, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Mosaic } from '#renderer/components/layout/mosaic.tsx';
import { PixdockMark } from '#renderer/components/layout/pixdock-mark.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './pages.module.css';

interface Props {
  title: string;
  intro?: string | undefined;
  onBack?: (() => void) | undefined;
  children: ReactNode;
}

/** A step of the desktop app's own pages: a column beside a wall of frames. */
export function Frame({ title, intro, onBack, children }: Props) {
  const { t } = useTranslation('desktop');
  const heading = useRef<HTMLHeadingElement>(null);
  // A step replaces the one before: keyboard and screen reader continue at its heading.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={classes.frame}>
      <main className={classes.main}>
        <div className={classes.column}>
          {onBack ? (
            <Button variant="subtle" size="compact-sm" ml={-8} leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
              {t('back')}
            </Button>
          ) : (
            <PixdockMark size={44} />
          )}
          <Title order={1} mt="md" ref={heading} tabIndex={-1} className={classes.title ?? ''}>
            {title}
          </Title>
          {intro && <p className={classes.intro}>{intro}</p>}
          {children}
        </div>
      </main>
      <aside className={classes.wall} aria-hidden="true">
        <Mosaic inset="-4% -12%" />
      </aside>
    </div>
  );
}
