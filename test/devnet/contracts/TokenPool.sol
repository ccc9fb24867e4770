// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Pool} from "./Pool.sol";

/// A pool of one ERC-20 token.
contract TokenPool is Pool {
    using SafeERC20 for IERC20;

    error NativeAssetNotAccepted();

    constructor(address entrypoint, address withdrawalVerifier, address ragequitVerifier, address asset)
        Pool(entrypoint, withdrawalVerifier, ragequitVerifier, asset)
    {}

    function _pull(address from, uint256 value) internal override {
        require(msg.value == 0, NativeAssetNotAccepted());
        IERC20(ASSET).safeTransferFrom(from, address(this), value);
    }

    function _push(address to, uint256 value) internal override {
        IERC20(ASSET).safeTransfer(to, value);
    }
}
