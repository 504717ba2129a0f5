import { Button, type ButtonProps, Group } from '@mantine/core';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './form-actions.module.css';

interface Props extends Pick<ButtonProps, 'color' | 'loading' | 'disabled'> {
  submit: string;
  onClose: () => void;
}

/** The buttons of a form in a dialog. They stay in view while its fields scroll. */
export function FormActions({ submit, onClose, ...button }: Props) {
  const { t } = useTranslation();
  return (
    <Group justify="flex-end" className={classes.actions}>
      <Button variant="default" onClick={onClose}>
        {t('common.cancel')}
      </Button>
      <Button type="submit" {...button}>
        {submit}
      </Button>
    </Group>
  );
}
