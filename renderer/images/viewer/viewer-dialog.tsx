import { IconArrowLeft } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './viewer-dialog.module.css';
import frame from './viewer-frame.module.css';

interface Props {
  name: string | undefined;
  /** Buttons and links of the bar. */
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** The window-filling dialog in which visitors view an image, open while it is mounted. */
export function ViewerDialog({ name, actions, onClose, children }: Props) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  usePageTitle(name, 'picture');
  useEffect(() => {
    dialog.current?.showModal();
    // Not the button to close it, which Space would press instead of starting the slideshow.
    dialog.current?.focus();
    const { style } = document.documentElement;
    style.overflow = 'hidden';
    return () => {
      style.overflow = '';
    };
  }, []);
  return (
    <dialog ref={dialog} tabIndex={-1} className={classes.dialog} aria-label={name} onClose={onClose}>
      <div className={frame.viewer}>
        <div className={frame.bar}>
          <ViewerButton label={t('common.close')} onClick={() => dialog.current?.close()}>
            <IconArrowLeft size={22} />
          </ViewerButton>
          <h2 className={frame.name} title={name} dir="auto">
            {name}
          </h2>
          <div className={frame.tools} data-tools />
          {actions}
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** A round button of the bar. */
export const ViewerButton = ({ label, ...rest }: ComponentProps<'button'> & { label: string }) => (
  <button type="button" {...plainActionProps(label)} {...rest} />
);

/** Makes a button or link one of the bar's, on pages without Mantine as well. */
export const plainActionProps = (label: string) => ({ className: `${frame.action} ${classes.action}`, 'aria-label': label, title: label });
