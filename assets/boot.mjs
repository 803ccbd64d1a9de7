// Starts the page.
import {shell} from "./shell.mjs";

shell(document.documentElement);
