import { ActionIcon, Modal } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './viewer-frame.module.css';

interface FrameProps {
  label: string | undefined;
  onClose: () => void;
  /** Shown beside the stage, or below it on a phone. */
  details?: ReactNode;
  /** A bar at the foot of a phone. */
  foot?: ReactNode;
  /** The bar and the stage. */
  children: ReactNode;
}

/** The window-filling dialog in which an image is viewed. */
export function ViewerFrame({ label, onClose, details, foot, children }: FrameProps) {
  return (
    <Modal.Root opened onClose={() => !isCovered() && onClose()} fullScreen transitionProps={{ duration: 0 }} trapFocus returnFocus={false}>
      <Modal.Overlay backgroundOpacity={1} color="#0b1113" />
      <Modal.Content className={classes.content} radius={0} aria-label={label}>
        <div className={classes.viewer} data-details={!!details || undefined}>
          {children}
          {details}
          {foot && <div className={classes.foot}>{foot}</div>}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Whether another dialog is open above the viewer, which Escape closes first. */
const isCovered = () => document.querySelectorAll('[aria-modal="true"]').length > 1;

interface BarProps {
  name: string | undefined;
  onClose: () => void;
  /** The actions, with {@link actionProps}. */
  children: ReactNode;
}

export function ViewerBar({ name, onClose, children }: BarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.bar}>
      <ActionIcon {...actionProps(t('common.close'))} onClick={onClose}>
        <IconArrowLeft size={22} />
      </ActionIcon>
      {/* Not the button to close it, which Space would press instead of starting the slideshow. */}
      <h2 ref={takeFocus} className={classes.name} title={name} dir="auto" tabIndex={-1} data-autofocus>
        {name}
      </h2>
      <div className={classes.tools} data-tools />
      {children}
    </div>
  );
}

/** At once: the dialog's own focus comes a moment after it is shown, and keys pressed until then would go to the page below. */
const takeFocus = (heading: HTMLElement | null) => heading?.focus({ preventScroll: true });

/** Makes an `ActionIcon` one of the bar's. */
export const actionProps = (label: string) =>
  ({ variant: 'transparent', color: 'white', size: 'xl', className: classes.action, 'aria-label': label, title: label }) as const;
