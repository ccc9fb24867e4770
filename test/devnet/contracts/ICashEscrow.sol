// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// The part of the escrow that the orchestrator uses, in the published ABI of Peer's EscrowV2.
interface ICashEscrow {
    struct Range {
        uint256 min;
        uint256 max;
    }

    struct OracleRateConfig {
        address adapter;
        bytes adapterConfig;
        int16 spreadBps;
        uint32 maxStaleness;
    }

    struct Currency {
        bytes32 code;
        uint256 minConversionRate;
        OracleRateConfig oracleRateConfig;
    }

    struct DepositPaymentMethodData {
        address intentGatingService;
        bytes32 payeeDetails;
        bytes data;
    }

    struct CreateDepositParams {
        IERC20 token;
        uint256 amount;
        Range intentAmountRange;
        bytes32[] paymentMethods;
        DepositPaymentMethodData[] paymentMethodData;
        Currency[][] currencies;
        address delegate;
        address intentGuardian;
        bool retainOnEmpty;
    }

    struct Deposit {
        address depositor;
        address delegate;
        IERC20 token;
        Range intentAmountRange;
        bool acceptingIntents;
        uint256 remainingDeposits;
        uint256 outstandingIntentAmount;
        address intentGuardian;
        bool retainOnEmpty;
    }

    struct Intent {
        bytes32 intentHash;
        uint256 amount;
        uint256 timestamp;
        uint256 expiryTime;
    }

    function lockFunds(uint256 depositId, bytes32 intentHash, uint256 amount) external;
    function unlockFunds(uint256 depositId, bytes32 intentHash) external;
    function unlockAndTransferFunds(uint256 depositId, bytes32 intentHash, uint256 transferAmount, address to) external;
    function getDeposit(uint256 depositId) external view returns (Deposit memory);
    function getDepositPaymentMethodData(uint256 depositId, bytes32 paymentMethod)
        external
        view
        returns (DepositPaymentMethodData memory);
    function getEffectiveRate(uint256 depositId, bytes32 paymentMethod, bytes32 currency)
        external
        view
        returns (uint256);
}
