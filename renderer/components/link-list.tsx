import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import classes from './link-list.module.css';

interface Props {
  /** What each is called, and what is copied; `label` says it in full where the name is not enough. */
  links: readonly { name: string; text: string; label?: string }[];
}

/** Links, each with a button that copies it. */
export function LinkList({ links }: Props) {
  const { t } = useTranslation();
  return (
    <ul className={classes.links}>
      {links.map(({ name, text, label = t('links.copyAs', { format: name }) }) => (
        <li key={name}>
          <div>
            <span className={classes.format}>{name}</span>
            <code title={text}>{text}</code>
          </div>
          <CopyButton text={text} label={label} />
        </li>
      ))}
    </ul>
  );
}
