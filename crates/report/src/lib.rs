//! Self-contained HTML pages.
